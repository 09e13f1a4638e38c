# The two front doors. Both install what is missing first (tools/setup.sh) and take seconds the second time.
#   make demo   build the command line, find and verify the components of two graphs
#   make test   build everything and run every test
.PHONY: demo test

demo:
	@tools/setup.sh
	@tools/build.sh release copse_cli
	@tools/demo.sh build/release/cli/copse

test:
	@tools/setup.sh
	@tools/build.sh release
	@ctest --preset release --parallel $$(nproc)
