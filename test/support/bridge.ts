// The bridge as tests run it: bundled as the build does, once a process, without a build of the rest.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

let bundle: Promise<string> | null = null

/** The path of the bundled `svc-agent.js`: run it with `node <path> --launch FILE`. */
export function bundledBridge(): Promise<string> {
  return (bundle ??= bundleBridge())
}

async function bundleBridge(): Promise<string> {
  // Not a temporary folder: a test process that is ended would leave it behind.
  const path = join(root, 'node_modules', '.cache', 'svc', 'svc-agent.mjs')
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['bridge/main.ts'],
    outfile: path,
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  })
  place(path, result.outputFiles[0]!.contents)
  return path
}

/** In one move, because other test processes run the file meanwhile. */
function place(path: string, contents: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, contents)
  renameSync(temporary, path)
}
