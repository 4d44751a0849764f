// SPDX-License-Identifier: GPL-2.0-only
/* write_bytes WORD...: write words of content.h to stdout. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "content.h"

int main(int argc, char **argv)
{
	struct content content = { .size = 0 };

	for (int i = 1; i < argc; i++)
		if (!append(&content, argv[i]))
			errx(EXIT_FAILURE, "cannot append %s", argv[i]);
	if (fwrite(content.bytes, 1, content.size, stdout) != content.size ||
	    fflush(stdout))
		err(EXIT_FAILURE, "cannot write");
	return EXIT_SUCCESS;
}
