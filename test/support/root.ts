// Finds the checkout, also from a bundle below node_modules.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = checkoutAbove(dirname(fileURLToPath(import.meta.url)))

function checkoutAbove(folder: string): string {
  return existsSync(join(folder, 'vitest.config.ts')) ? folder : checkoutAbove(dirname(folder))
}
