// SPDX-License-Identifier: MIT
// test_headers.cpp - the program whose precompiled headers the test programs share; it runs no test.
int main() { return 0; }
