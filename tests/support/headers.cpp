// Nothing: the target copse_test_headers compiles the headers that all tests share.
