// Builds the web page of web/, with brotli and gzip beside each text file.
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Have light-dark(), popovers and trusted types. */
const BROWSERS = ['chrome125', 'firefox128', 'safari18']
const TEXT = /\.(js|css|svg)$/
/** Smaller files gain nothing. */
const LEAST_BYTES = 512

/** Returns `{path, contents}` of each file below `outdir`, `index.html` last. Throws an error with the faults of the sources. */
export async function webFiles(root, outdir) {
  const { output } = await forProduction(async () => (await import('vite')).build(optionsOf(root, outdir)))
  const files = output.map((file) => ({
    path: join(outdir, file.fileName),
    contents: Buffer.from(file.type === 'chunk' ? file.code : file.source),
  }))
  const isIndex = ({ path }) => path.endsWith('index.html')
  return files
    .flatMap((file) => [file, ...compressed(file)])
    .toSorted((a, b) => Number(isIndex(a)) - Number(isIndex(b)))
}

function optionsOf(root, outdir) {
  return {
    configFile: false,
    root: join(root, 'web'),
    // Relative, so that the page works below any prefix.
    base: './',
    logLevel: 'error',
    build: {
      write: false,
      outDir: outdir,
      target: BROWSERS,
      // The policy of the page allows fonts from files only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  }
}

/** With another NODE_ENV, as in tests, React is built for development. */
async function forProduction(work) {
  const given = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    return await work()
  } finally {
    if (given === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = given
  }
}

function compressed({ path, contents }) {
  if (!TEXT.test(path) || contents.length < LEAST_BYTES) return []
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length }
  return [
    { path: `${path}.br`, contents: brotliCompressSync(contents, { params }) },
    { path: `${path}.gz`, contents: gzipSync(contents, { level: 9 }) },
  ]
}
