import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hostFacts } from '../../../platform/sandbox/facts.ts'
import { gitEnvironment, gitPaths } from '../../../platform/sandbox/git.ts'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'svc-sandbox-git-')))
afterAll(() => rmSync(top, { recursive: true }))
const home = join(top, 'home')

function write(path: string, text = ''): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
    stdio: 'pipe',
  })

let count = 0
function repository(): string {
  const folder = join(top, `repository-${count++}`)
  mkdirSync(folder)
  git(folder, 'init', '-q')
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first')
  return folder
}

const pathsOf = (root: string) => gitPaths(root, hostFacts, home)

test('opens nothing for a folder without git, or below the top of a checkout', () => {
  const none = { write: [], readonly: [], watched: [], isLinked: false }
  const inner = join(repository(), 'inner')
  mkdirSync(inner)
  for (const folder of [inner, join(top, 'missing')]) expect(pathsOf(folder)).toEqual(none)
})

describe('in a main checkout', () => {
  test('protects settings, hooks and the links of worktrees', () => {
    const root = repository()
    git(root, 'worktree', 'add', '-q', join(top, 'linked'))
    const inner = (name: string) => join(root, '.git', name)
    write(inner('info/attributes'))
    const { write: writable, readonly, watched, isLinked } = pathsOf(root)
    expect([...readonly].sort()).toEqual(
      ['config', 'hooks', 'info/attributes', 'worktrees/linked/commondir', 'worktrees/linked/gitdir'].map(inner),
    )
    expect({ writable, watched, isLinked }).toEqual({ writable: [], watched: [inner('commondir')], isLinked: false })
  })

  test('watches folders of hooks that are missing', () => {
    const root = repository()
    rmSync(join(root, '.git', 'hooks'), { recursive: true })
    expect(pathsOf(root).watched).toContain(join(root, '.git', 'hooks'))
  })

  test('protects submodules, also nested ones', () => {
    const root = repository()
    const modules = ['a', 'libraries/b', 'a/modules/c'].map((name) => join(root, '.git', 'modules', name))
    for (const folder of modules) {
      write(join(folder, 'HEAD'))
      write(join(folder, 'config'))
      write(join(folder, 'hooks', 'pre-commit'))
    }
    const { readonly, watched } = pathsOf(root)
    for (const folder of modules) {
      expect(readonly).toEqual(expect.arrayContaining([join(folder, 'config'), join(folder, 'hooks')]))
      expect(watched).toContain(join(folder, 'commondir'))
    }
  })

  test('protects files that settings name, of the repository and of the user', () => {
    const root = repository()
    const named = ['.husky/pre-commit', 'shared.gitconfig', 'second.gitconfig', 'third hooks/pre-push', 'own.gitconfig']
    for (const name of named) write(join(root, name))
    git(root, 'config', 'core.hooksPath', '.husky')
    git(root, 'config', 'include.path', '../shared.gitconfig')
    write(
      join(root, 'shared.gitconfig'),
      '[includeIf "gitdir:~/"] path = second.gitconfig\n[Core]\n  HooksPath = "third hooks" ; x',
    )
    write(join(root, 'second.gitconfig'), '[include]\npath = shared.gitconfig\n')
    write(join(home, '.gitconfig'), `[include]\n\tpath = ${join(root, 'own.gitconfig')}\n`)
    const expected = ['.husky', 'shared.gitconfig', 'second.gitconfig', 'third hooks', 'own.gitconfig']
    expect(pathsOf(root).readonly).toEqual(expect.arrayContaining(expected.map((name) => join(root, name))))
    rmSync(join(home, '.gitconfig'))
  })
})

describe('in a linked worktree', () => {
  const root = repository()
  const linked = join(top, 'worktree')
  git(root, 'worktree', 'add', '-q', linked)
  const common = join(root, '.git')
  const own = join(common, 'worktrees', 'worktree')

  test('opens what a commit writes, and protects the rest', () => {
    expect(pathsOf(linked)).toEqual({
      write: [...['objects', 'refs', 'logs'].map((name) => join(common, name)), own],
      readonly: [join(linked, '.git'), common, join(own, 'commondir'), join(own, 'gitdir')],
      watched: [],
      isLinked: true,
    })
  })

  test('opens nothing for a file that was copied, or that leads to a made-up repository', () => {
    const copied = join(top, 'copied')
    write(join(copied, '.git'), `gitdir: ${own}\n`)
    expect(pathsOf(copied)).toMatchObject({ write: [], readonly: [join(copied, '.git')] })

    const made = join(top, 'made')
    write(join(made, '.git'), 'gitdir: fake\n')
    write(join(made, 'fake', 'gitdir'), join(made, '.git'))
    write(join(made, 'fake', 'commondir'), common)
    expect(pathsOf(made)).toMatchObject({ write: [] })

    for (const text of ['', 'gitdir: missing', 'nothing'])
      expect(pathsOf(dirname(write(join(top, 'broken', '.git'), text)))).toMatchObject({ write: [] })
  })
})

test('adds settings after those that the environment has', () => {
  const first = gitEnvironment({})
  expect(first).toMatchObject({ GIT_CONFIG_COUNT: '3', GIT_CONFIG_KEY_0: 'gc.auto', GIT_CONFIG_VALUE_0: '0' })
  expect(gitEnvironment({ GIT_CONFIG_COUNT: '1' })).toMatchObject({
    GIT_CONFIG_COUNT: '4',
    GIT_CONFIG_KEY_1: 'gc.auto',
    GIT_CONFIG_KEY_3: 'maintenance.auto',
    GIT_CONFIG_VALUE_3: 'false',
  })
  const output = execFileSync('git', ['config', 'gc.worktreePruneExpire'], {
    env: { PATH: process.env.PATH, ...first },
    encoding: 'utf8',
  })
  expect(output).toBe('never\n')
})
