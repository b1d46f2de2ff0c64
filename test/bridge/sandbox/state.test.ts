import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programState } from '../../../bridge/sandbox/state.ts'
import { temporaryFolder } from '../running.ts'

function stand() {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  mkdirSync(home)
  return { home, own: join(folder, 'own') }
}

test('opens the folder of Claude Code without its settings and other conversations', () => {
  const { home, own } = stand()
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude', 'settings.json'), '{"model":"x"}')
  const state = programState({ runtime: 'claude-code', command: [] }, {}, home, own)
  const inside = (name: string) => join(home, '.claude', name)
  expect(state.write).toEqual([join(home, '.claude')])
  const names = 'settings.json settings.local.json CLAUDE.md hooks commands agents skills plugins output-styles'
  expect(state.readonly).toEqual(names.split(' ').map(inside))
  expect(state.folders).toEqual([
    { source: join(own, 'projects'), target: inside('projects') },
    { source: join(own, 'file-history'), target: inside('file-history') },
  ])
  expect(readFileSync(inside('settings.json'), 'utf8')).toBe('{"model":"x"}')
  expect(readFileSync(inside('settings.local.json'), 'utf8')).toBe('{}\n')
})

test('gives Claude Code with a key a folder of the agent', () => {
  const { home, own } = stand()
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude', 'settings.json'), '{"model":"x"}')
  const state = programState({ runtime: 'claude-code', command: [] }, { ANTHROPIC_API_KEY: 'k' }, home, own)
  expect(state).toEqual({
    write: [],
    readonly: [],
    folders: [{ source: join(own, 'claude'), target: '/tmp/.claude-of-agent' }],
    env: { CLAUDE_CONFIG_DIR: '/tmp/.claude-of-agent' },
  })
  expect(readFileSync(join(own, 'claude', 'settings.json'), 'utf8')).toBe('{"model":"x"}')
})

test.each([
  ['codex', '.codex', 'config.toml'],
  ['codex-acp', '.codex', 'config.toml'],
  ['/opt/bin/gemini', '.gemini', 'settings.json'],
  ['qwen', '.qwen', 'settings.json'],
  ['copilot', '.copilot', 'mcp-config.json'],
  ['claude-code-acp', '.claude', 'settings.json'],
])('opens the folder of %s with its settings read-only', (program, folder, file) => {
  const { home, own } = stand()
  const state = programState({ runtime: 'acp', command: [program, '--acp'] }, {}, home, own)
  expect(state.write).toEqual([join(home, folder)])
  expect(state.readonly).toContain(join(home, folder, file))
})

test('opens nothing for other programs', () => {
  const { home, own } = stand()
  const nothing = { write: [], readonly: [], folders: [], env: {} }
  for (const command of [['node', 'claude'], [], ['constructor']])
    expect(programState({ runtime: 'command', command }, {}, home, own)).toEqual(nothing)
})

test('fails for settings that are a dangling link', () => {
  const { home, own } = stand()
  mkdirSync(join(home, '.codex'))
  symlinkSync(join(home, 'absent'), join(home, '.codex', 'config.toml'))
  expect(() => programState({ runtime: 'acp', command: ['codex'] }, {}, home, own)).toThrow('EEXIST')
})
