// Where the package stands, from the source tree and from the built commands alike.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The nearest folder above this file that holds the package.json. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** The built program that runs inside an agent's session. */
export function bundledBridge(): string {
  return join(packageRoot(), 'dist', 'svc-agent.js')
}

/** The built program of the threads that index and search code. */
export function indexProgram(): string {
  return join(packageRoot(), 'dist', 'svc-index.js')
}

/** The weights of the builtin embedding. */
export function indexWeights(): string {
  return join(packageRoot(), 'dist', 'builtin-embedding.bin')
}
