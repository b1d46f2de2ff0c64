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

test('resolves --manifests to the source "default"', () => {
  expect(readSources({ manifests: 'manifests' }, config())).toEqual([
    { name: 'default', directory: resolve('manifests') },
  ])
  expect(readSources({ manifests: '~/team' }, config())).toEqual([{ name: 'default', directory: join(home, 'team') }])
})

test('accepts a git address with reference and folder as --manifests', () => {
  const git = { credentials: {}, pollSecs: 60, verify: null }
  const of = (manifests: string) => readSources({ manifests }, config())
  expect(of('git+https://example.org/team.git#main:deploy/manifests')).toEqual([
    {
      name: 'default',
      git: {
        ...git,
        url: 'https://example.org/team.git',
        ref: { name: 'main' },
        path: 'deploy/manifests',
        shown: 'git+https://example.org/team.git#main:deploy/manifests',
      },
    },
  ])
  for (const ref of ['', 'HEAD'])
    expect(of(`git+file:///repo#${ref}:manifests`)).toEqual([
      {
        name: 'default',
        git: { ...git, url: 'file:///repo', ref: {}, path: 'manifests', shown: 'git+file:///repo#:manifests' },
      },
    ])
  const short = { ...git, url: 'ssh://git@example.org/team.git', ref: {}, path: '' }
  expect(of('git@example.org:team.git')).toEqual([
    { name: 'default', git: { ...short, shown: 'git+ssh://git@example.org/team.git' } },
  ])
})

test('refuses a repository without a checkout as a directory, with the setting for it', () => {
  for (const folder of ['objects', 'refs']) mkdirSync(join(home, 'team.git', folder), { recursive: true })
  writeFileSync(join(home, 'team.git', 'HEAD'), 'ref: refs/heads/main\n')
  const file = configFile('sources: [{name: team, directory: team.git}]')
  expect(() => readSources({ manifests: null, configFile: file }, config())).toThrow(
    `${join(home, 'team.git')} is a git repository without a checkout: write git: { url: "git+file://${home}/team.git" } instead of directory`,
  )
})

test('resolves files and secret variables of a configured repository', () => {
  const signers = configFile('mira@example.org ssh-ed25519 AAAA', 'signers')
  const file = configFile(
    `sources:
  - name: team
    git:
      url: https://example.org/team.git
      ref: { semver: ^1.4 }
      path: ./manifests/
      poll_secs: 30
      verify: { allowed_signers: signers }
      require_signed: widening
      credentials: { username: bot, password_variable: TEAM_TOKEN }
      webhook_secret_variable: HOOK
`,
  )
  const env = { TEAM_TOKEN: 'planted-1', HOOK: 'planted-2' }
  const sources = readSources({ manifests: null, configFile: file }, config(env))
  expect(sources).toEqual([
    {
      name: 'team',
      git: {
        url: 'https://example.org/team.git',
        ref: { semver: '^1.4' },
        path: 'manifests',
        pollSecs: 30,
        verify: { allowedSigners: signers },
        requireSigned: 'widening',
        credentials: { username: 'bot', passwordVariable: 'TEAM_TOKEN' },
        webhookVariable: 'HOOK',
        shown: 'git+https://example.org/team.git#tag in the range ^1.4:manifests',
      },
    },
  ])
  expect(JSON.stringify(sources)).not.toContain('planted')
})

test('has no sources without a folder and a file', () => {
  expect(readSources({ manifests: null }, config())).toEqual([])
})

test('reads sources of a config file with their sync rules', () => {
  const file = configFile(
    'sources:\n  - name: ops\n    directory: ops\n    sync: {mode: manual, max_delete: "10%"}\n  - {name: home, directory: ~/x}\n',
  )
  expect(readSources({ manifests: '/team', configFile: file }, config())).toEqual([
    { name: 'default', directory: '/team' },
    { name: 'ops', directory: join(home, 'ops'), sync: { mode: 'manual', max_delete: '10%' } },
    { name: 'home', directory: join(home, 'x') },
  ])
})

test("finds the user's config file", () => {
  configFile('sources: [{name: ops, directory: /ops}]', '.config/svc/config.yaml')
  configFile('sources: [{name: xdg, directory: /xdg}]', 'xdg/svc/config.yaml')
  expect(readSources({ manifests: null }, config())).toEqual([{ name: 'ops', directory: '/ops' }])
  expect(readSources({ manifests: null }, config({ XDG_CONFIG_HOME: join(home, 'xdg') }))).toEqual([
    { name: 'xdg', directory: '/xdg' },
  ])
})

test('accepts an empty config file', () => {
  expect(readSources({ manifests: null, configFile: configFile('') }, config())).toEqual([])
})

describe('invalid sources', () => {
  const cases: Record<string, [string, RegExp]> = {
    'a syntax error, with its position': ['sources:\n  - name: [', /team\.yaml:\d+:\d+: /],
    'another version of YAML, with its position': [
      '%YAML 1.1\n---\nsources: []\n',
      /team\.yaml:1:7: YAML 1\.1 is not supported/,
    ],
    'a second document, with its position': ['sources: []\n---\nsources: []\n', /team\.yaml:3:1: .* one document/],
    'an unknown field, with the nearest one': [
      'sources: [{name: a, directry: /a}]',
      /sources\.0\.directry is not a field of sources\.0; did you mean "directory"\?/,
    ],
    'unknown sync rules': [
      'sources: [{name: a, directory: /a, sync: {mode: off}}]',
      /sources\.0\.sync\.mode should be one of auto, manual/,
    ],
    'a source without a folder': ['sources: [{name: a}]', /sources\.0 \(a\) has no directory/],
    'two sources with one name': [
      'sources: [{name: a, directory: /a}, {name: a, directory: /b}]',
      /two sources named "a"/,
    ],
    'a folder and a repository at once': [
      'sources: [{name: a, directory: /a, git: {url: "https://example.org/x.git"}}]',
      /has both a directory and a git repository/,
    ],
    'an address instead of a folder': [
      'sources: [{name: a, directory: "git+https://example.org/x.git"}]',
      /a directory is a folder of this machine: write git: \{ url: /,
    ],
    'a transport that runs a program': [
      'sources: [{name: a, git: {url: "ext::sh -c id"}}]',
      /git repositories are read by https:\/\/, .*not by ext:/,
    ],
    'a token in an address': [
      'sources: [{name: a, git: {url: "https://mira:s3cret@example.org/x.git"}}]',
      /^(?!.*s3cret).*contains a password or a token: .*password_variable/,
    ],
    'an unset variable': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", credentials: {password_variable: TEAM_TOKEN}}}]',
      /the variable TEAM_TOKEN is not set/,
    ],
    'a missing file of signers': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", verify: {allowed_signers: who}}}]',
      /verify.allowed_signers: the file .*who does not exist/,
    ],
    'require_signed without keys': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", require_signed: widening}}]',
      /require_signed needs verify: add the file of allowed signers or the keyring/,
    ],
    'a path outside the repository': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", path: a/../../b}}]',
      /path should be a folder inside the repository/,
    ],
    'a reference that looks like an option': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", ref: --upload-pack=id}}]',
      /is not a valid branch or tag name/,
    ],
    'an abbreviated commit': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", ref: {commit: abc123}}}]',
      /commit should be a full commit id/,
    ],
    'an invalid range': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", ref: {semver: newest}}}]',
      /semver should be a range/,
    ],
  }
  for (const [title, [text, message]] of Object.entries(cases)) {
    test(`rejects ${title}`, () => {
      const file = configFile(text)
      expect(() => readSources({ manifests: null, configFile: file }, config())).toThrow(message)
    })
  }

  test('rejects a missing config file', () => {
    expect(() => readSources({ manifests: null, configFile: join(home, 'none.yaml') }, config())).toThrow(
      /none\.yaml cannot be read/,
    )
  })

  test('rejects a second source called default', () => {
    const file = configFile('sources: [{name: default, directory: /a}]')
    expect(() => readSources({ manifests: '/team', configFile: file }, config())).toThrow('omit --manifests')
  })
})
