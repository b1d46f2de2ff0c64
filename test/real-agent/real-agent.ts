import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeModel } from './fake-model.ts'

/** Path of the CLI; `scripts/tests/real-agent.mjs` sets its folder. */
export function claudeProgram(): string {
  const folder = process.env['SVC_REAL_AGENT_DIR']
  if (!folder) throw new Error('SVC_REAL_AGENT_DIR is not set: run these tests with "npm run test:all -- real-agent"')
  return join(folder, 'node_modules', '.bin', 'claude')
}

/** Environment with a new home and a dummy key, restricted to the fake model. */
export function offlineEnvironment(model: FakeModel, folder: string): Record<string, string> {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  return {
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }
}

/** Removes variables of a CLI that runs these tests. */
export function forgetOwnAgent(): void {
  for (const name of Object.keys(process.env)) if (/^(CLAUDE|ANTHROPIC)/.test(name)) delete process.env[name]
}
