// A program as one script for cli/script/bundled.ts, and the code that the compiler makes of it while it is used.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
/** Milliseconds for a program to be started, used and stopped on a busy machine. */
const LONGEST_MS = 60_000

/** Options of esbuild beside those of every bundle: a function of what a module is given, as one expression. */
export const asScript = (shared, name, contents) => ({
  ...shared,
  format: 'cjs',
  stdin: { contents, resolveDir: root, loader: 'ts' },
  outdir: undefined,
  outfile: join(shared.outdir, 'chunks', `${name}.cjs`),
  define: { 'import.meta.url': '__url' },
  banner: {
    js: '(function (exports, require, module, __filename, __dirname) { const __url = require("node:url").pathToFileURL(__filename).href;',
  },
  footer: { js: '})' },
})

/** Its name says what is in it: code made of another script of the same length would be taken for its own. */
export const nameOf = (name, contents) =>
  `${name}-${createHash('sha256').update(contents).digest('hex').slice(0, 12)}.cjs`

/** Path of the compiled code beside `script`, made now by `compiler` where there is none; null where that failed. */
export function compiled(script, compiler, flags = []) {
  const cache = `${script}.${process.version}-${process.arch}`
  if (existsSync(cache)) return cache
  spawnSync(process.execPath, [...flags, compiler, script, cache], { timeout: LONGEST_MS, stdio: 'ignore' })
  return existsSync(cache) ? cache : null
}

/** What the script exports, and what writes the code that is made of it by then to `cache`. */
export function loaded(path, given = {}) {
  // Where programs that it starts are found from.
  const filename = join(root, 'dist', 'chunks', basename(path))
  const script = new Script(readFileSync(path, 'latin1'), {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const near = createRequire(import.meta.url)
  const module = { exports: {} }
  script.runInThisContext()(module.exports, (name) => given[name] ?? near(name), module, filename, dirname(filename))
  const keep = (cache) => {
    const temporary = `${cache}.${process.pid}.tmp`
    writeFileSync(temporary, script.createCachedData())
    renameSync(temporary, cache)
  }
  return { exports: module.exports, keep }
}
