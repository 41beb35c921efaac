/* A shared library that is no engine. */
int an_other_function(void);
int an_other_function(void) {
  return 0;
}
