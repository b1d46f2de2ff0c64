// Locates package files, from source and from the built commands.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

export function bundledBridge(): string {
  return join(packageRoot(), 'dist', 'svc-agent.js')
}

export function indexProgram(): string {
  return join(packageRoot(), 'dist', 'svc-index.js')
}

export function indexWeights(): string {
  return join(packageRoot(), 'dist', 'builtin-embedding.bin')
}

/** Has the built web page. */
export function pageFolder(): string {
  return join(packageRoot(), 'dist', 'web')
}
