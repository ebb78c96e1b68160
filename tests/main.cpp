// SPDX-License-Identifier: MIT
// main.cpp - the program whose precompiled headers the test programs share; it runs no test.
int main() { return 0; }
