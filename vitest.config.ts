import { defineConfig } from 'vitest/config'
import LongestFirst from './test/support/run/longest-first.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/real-agent/**'],
    globalSetup: ['test/support/build.ts', 'test/support/postgres-server.ts'],
    pool: 'forks',
    // Most tests wait for processes, not for a core; and no test leaves anything behind in its worker for the next.
    maxWorkers: 4,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // More than `eventually` waits, so that what failed last is told.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/support/run/closing-line.ts'],
  },
})
