/* Texts that libjpeg-turbo's messages contain. */
#define JVERSION "6b  27-Mar-1998"
#define JCOPYRIGHT_SHORT "Copyright (C) 1991-2025 The libjpeg-turbo Project and many others"
