/* An extension module in a wheel that was compiled elsewhere: by another compiler, without CPython's headers. What it uses of them
 * is part of CPython's stable interface. */
#include <stddef.h>

typedef struct object PyObject;
typedef PyObject *(*Function)(PyObject *, PyObject *);

extern PyObject *PyLong_FromLongLong(long long);
extern long long PyLong_AsLongLong(PyObject *);
extern PyObject *PyErr_Occurred(void);

typedef struct {
    const char *name;
    Function function;
    int flags;
    const char *documentation;
} Method;

typedef struct {
    size_t reference_count;
    void *type;
    PyObject *(*init)(void);
    size_t index;
    PyObject *copy;
} DefinitionHead;

typedef struct {
    DefinitionHead head;
    const char *name;
    const char *documentation;
    int size;
    Method *methods;
    void *slots, *traverse, *clear, *free;
} Definition;

extern PyObject *PyModule_Create2(Definition *, int);

/* How often a number is halved, or multiplied by 3 and incremented, until it is 1. */
static PyObject *steps(PyObject *module, PyObject *argument)
{
    long long number = PyLong_AsLongLong(argument), count = 0;
    if (PyErr_Occurred())
        return NULL;
    for (; number > 1; count++)
        number = number % 2 ? 3 * number + 1 : number / 2;
    return PyLong_FromLongLong(count);
}

enum { ONE_ARGUMENT = 8, VERSION_OF_INTERFACE = 1013 };

static Method methods[] = {{"steps", steps, ONE_ARGUMENT, NULL}, {NULL, NULL, 0, NULL}};

static Definition definition = {{1, NULL, NULL, 0, NULL}, "_counting", NULL, -1, methods, NULL, NULL, NULL, NULL};

__attribute__((visibility("default"))) PyObject *PyInit__counting(void)
{
    return PyModule_Create2(&definition, VERSION_OF_INTERFACE);
}
