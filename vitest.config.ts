import { defineConfig } from 'vitest/config'
import LongestFirst from './test/support/run/longest-first.ts'
import { integrationFiles, unitFiles } from './test/support/run/projects.ts'

// The daemon starts its tmux server without this variable, so tests must too.
delete process.env.TMUX_TMPDIR
process.env.SVC_TEST_RUN ??= String(process.pid)

const exclude = ['test/bench/**', 'test/real-agent/**']

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: unitFiles, exclude } },
      {
        extends: true,
        test: {
          name: 'integration',
          include: integrationFiles,
          exclude,
          // Workers run many files: importing the daemon for each would double the time.
          isolate: false,
          globalSetup: ['build-if-stale', 'postgres-on-demand', 'tmux-leaks'].map(
            (name) => `test/support/run/${name}.ts`,
          ),
        },
      },
    ],
    pool: 'forks',
    // More workers than cores, because integration tests mostly wait for processes.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Longer than `eventually`, so that its message is reported.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/run/closing-line.ts'],
  },
})
