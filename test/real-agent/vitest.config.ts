import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/real-agent/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    hookTimeout: 60_000,
    testTimeout: 60_000,
    reporters: ['verbose', './test/support/run/closing-line.ts'],
  },
})
