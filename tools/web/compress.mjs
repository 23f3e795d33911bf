// Brotli, as small as it gets, which takes ten seconds; kept beside the file and made again when the file changes.
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const [, , from, to] = process.argv;
const kept = `${from}.br`;
if (!existsSync(kept) || statSync(kept).mtimeMs < statSync(from).mtimeMs) {
  const bytes = readFileSync(from);
  writeFileSync(kept, brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }));
}
copyFileSync(kept, to);
