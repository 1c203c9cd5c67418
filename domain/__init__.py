"""The rules of Ledgertop: pure values and functions, no I/O, no clock, no chance but what is handed in."""
