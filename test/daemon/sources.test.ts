import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSources } from '../../daemon/sources.ts'

let home: string
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'svc-sources-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

const config = (env: Record<string, string> = {}) => ({ home, env })
function configFile(text: string, path = 'team.yaml'): string {
  const file = join(home, path)
  mkdirSync(resolve(file, '..'), { recursive: true })
  writeFileSync(file, text)
  return file
}

test('--manifests makes the source "default", relative to the working folder or home', () => {
  expect(readSources({ manifests: 'manifests' }, config())).toEqual([
    { name: 'default', directory: resolve('manifests') },
  ])
  expect(readSources({ manifests: '~/team' }, config())).toEqual([{ name: 'default', directory: join(home, 'team') }])
})

test('without a folder and a file there are no sources', () => {
  expect(readSources({ manifests: null }, config())).toEqual([])
})

test('a config file adds sources, relative to itself, with their sync rules', () => {
  const file = configFile(
    'sources:\n  - name: ops\n    directory: ops\n    sync: {mode: manual, max_delete: "10%"}\n  - {name: home, directory: ~/x}\n',
  )
  expect(readSources({ manifests: '/team', configFile: file }, config())).toEqual([
    { name: 'default', directory: '/team' },
    { name: 'ops', directory: join(home, 'ops'), sync: { mode: 'manual', max_delete: '10%' } },
    { name: 'home', directory: join(home, 'x') },
  ])
})

test('the config file of the user is found by itself', () => {
  configFile('sources: [{name: ops, directory: /ops}]', '.config/svc/config.yaml')
  configFile('sources: [{name: xdg, directory: /xdg}]', 'xdg/svc/config.yaml')
  expect(readSources({ manifests: null }, config())).toEqual([{ name: 'ops', directory: '/ops' }])
  expect(readSources({ manifests: null }, config({ XDG_CONFIG_HOME: join(home, 'xdg') }))).toEqual([
    { name: 'xdg', directory: '/xdg' },
  ])
})

test('an empty config file is no fault', () => {
  expect(readSources({ manifests: null, configFile: configFile('') }, config())).toEqual([])
})

describe('refuses', () => {
  const cases: Record<string, [string, RegExp]> = {
    'a syntax error, at its place': ['sources:\n  - name: [', /team\.yaml:\d+:\d+: /],
    'an unknown member, with the nearest': [
      'sources: [{name: a, directry: /a}]',
      /sources\.0\.directry is not a member of sources\.0; did you mean "directory"\?/,
    ],
    'sync rules that do not exist': [
      'sources: [{name: a, directory: /a, sync: {mode: off}}]',
      /sources\.0\.sync\.mode should be one of auto, manual/,
    ],
    'a source without a folder': ['sources: [{name: a}]', /sources\.0 \(a\) has no directory/],
    'two sources of one name': [
      'sources: [{name: a, directory: /a}, {name: a, directory: /b}]',
      /two sources named "a"/,
    ],
    'a git source, which is yet to come': [
      'sources: [{name: a, git: {url: "https://example.org/x.git"}}]',
      /git sources are not available yet/,
    ],
  }
  for (const [title, [text, message]] of Object.entries(cases)) {
    test(title, () => {
      const file = configFile(text)
      expect(() => readSources({ manifests: null, configFile: file }, config())).toThrow(message)
    })
  }

  test('a config file that was named and is not there', () => {
    expect(() => readSources({ manifests: null, configFile: join(home, 'none.yaml') }, config())).toThrow(
      /none\.yaml cannot be read/,
    )
  })

  test('a git address as --manifests', () => {
    for (const address of [
      'git+https://example.org/team.git',
      'git@example.org:team.git',
      'https://example.org/team.git',
    ]) {
      expect(() => readSources({ manifests: address }, config())).toThrow('git sources are not available yet')
    }
  })

  test('a second source called default', () => {
    const file = configFile('sources: [{name: default, directory: /a}]')
    expect(() => readSources({ manifests: '/team', configFile: file }, config())).toThrow('leave --manifests out')
  })
})
