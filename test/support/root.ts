// Where the checkout is, for tests and for benches that run bundled from below node_modules.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = checkoutAbove(dirname(fileURLToPath(import.meta.url)))

/** What runs inside an agent's session, as the run's setup has built it: `node <path> --launch FILE`. */
export const bridgeProgram = join(root, 'dist', 'svc-agent.js')

function checkoutAbove(folder: string): string {
  return existsSync(join(folder, 'vitest.config.ts')) ? folder : checkoutAbove(dirname(folder))
}
