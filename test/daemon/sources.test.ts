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

test('a git address as --manifests is a repository, with its reference and folder', () => {
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
  const short = { ...git, url: 'ssh://git@example.org/team.git', ref: {}, path: '' }
  expect(of('git@example.org:team.git')).toEqual([
    { name: 'default', git: { ...short, shown: 'git+ssh://git@example.org/team.git' } },
  ])
})

test('a repository in a config file has its files beside it, and its secrets by the names of variables', () => {
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
        credentials: { username: 'bot', passwordVariable: 'TEAM_TOKEN' },
        webhookVariable: 'HOOK',
        shown: 'git+https://example.org/team.git#tag in the range ^1.4:manifests',
      },
    },
  ])
  expect(JSON.stringify(sources)).not.toContain('planted')
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
    'a folder and a repository at once': [
      'sources: [{name: a, directory: /a, git: {url: "https://example.org/x.git"}}]',
      /has a directory and a git repository/,
    ],
    'an address where a folder is wanted': [
      'sources: [{name: a, directory: "git+https://example.org/x.git"}]',
      /a directory is a folder of this machine: write git: \{ url: /,
    ],
    'a way to a repository that runs a program': [
      'sources: [{name: a, git: {url: "ext::sh -c id"}}]',
      /git repositories are read by https:\/\/, .*not by ext:/,
    ],
    'a token in an address': [
      'sources: [{name: a, git: {url: "https://mira:s3cret@example.org/x.git"}}]',
      /^(?!.*s3cret).*holds a password or a token: .*password_variable/,
    ],
    'a variable that is not set': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", credentials: {password_variable: TEAM_TOKEN}}}]',
      /the variable TEAM_TOKEN is not set/,
    ],
    'a file of signers that is not there': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", verify: {allowed_signers: who}}}]',
      /verify.allowed_signers: the file .*who does not exist/,
    ],
    'a path out of the repository': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", path: a/../../b}}]',
      /path should be a folder inside the repository/,
    ],
    'a reference that git would take for an option': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", ref: --upload-pack=id}}]',
      /can be no name of a branch or tag/,
    ],
    'a commit without all of its digits': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", ref: {commit: abc123}}}]',
      /a commit is named by all of its digits/,
    ],
    'a range that is none': [
      'sources: [{name: a, git: {url: "https://example.org/x.git", ref: {semver: newest}}}]',
      /semver should be a range/,
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

  test('a second source called default', () => {
    const file = configFile('sources: [{name: default, directory: /a}]')
    expect(() => readSources({ manifests: '/team', configFile: file }, config())).toThrow('leave --manifests out')
  })
})
