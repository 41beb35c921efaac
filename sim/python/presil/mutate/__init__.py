"""Mutation campaigns: faults put into RTL and models automatically, and what finds them."""
