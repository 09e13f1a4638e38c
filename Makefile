# The two front doors. Both install what is missing first (tools/setup.sh) and take seconds the second time.
#   make demo   build the command line alone (without GPU code where no GPU is seen), find and verify the components of two graphs
#   make test   build everything but the benchmarks, run every test and count the cases
.PHONY: demo test

demo:
	@tools/setup.sh
	@tools/build.sh demo copse_cli
	@tools/demo.sh build/demo/cli/copse build/demo/graphs

test:
	@tools/setup.sh
	@tools/python_env.sh
	@tools/build.sh release
	@tools/test.sh release
