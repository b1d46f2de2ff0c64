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
