// A repository can make git run programs; svc’s git commands run none of them.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { counted } from '../support/counts.ts'
import { Repository } from '../../platform/git/git.ts'
import { addWorktree, removeWorktree, repositoryOf } from '../../platform/git/worktree.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-git-attack-')))
const traps = join(root, 'traps')
mkdirSync(traps)
afterAll(() => rmSync(root, { recursive: true, force: true }))
afterEach(() => {
  for (const file of sprung()) rmSync(join(traps, file))
})

/** Creates a program that leaves a file with its name when it runs. */
function trap(name: string): string {
  const program = join(root, `trap-${name}`)
  writeFileSync(program, `#!/bin/sh\ntouch ${join(traps, name)}\ncat\n`, { mode: 0o755 })
  return program
}

const sprung = () => readdirSync(traps)

async function git(directory: string, ...args: string[]) {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always']
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_GLOBAL: '/dev/null' }
  return execa('git', ['-C', directory, ...identity, ...args], {
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 20_000,
  })
}

const HOOKS = [
  'post-checkout',
  'pre-commit',
  'reference-transaction',
  'post-index-change',
  'pre-auto-gc',
  'post-rewrite',
]
const ATTRIBUTES = '* filter=evil diff=evil merge=evil\n*.txt filter=evil diff=evil text\n'

function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode })
}

interface Door {
  config?: (program: string) => string
  /** `common` is the repository's `.git`. */
  plant?: (repository: string, program: string) => void
  env?: (program: string) => Record<string, string>
  /** Not run by the plain git commands used here. */
  silent?: boolean
}

const doors: Record<string, Door> = {
  'core.fsmonitor': { config: (program) => `[core]\nfsmonitor = ${program}\n` },
  'core.hooksPath': {
    config: () => `[core]\nhooksPath = ${join(root, 'hooks')}\n`,
    plant: (_, program) => {
      for (const hook of HOOKS) write(join(root, 'hooks', hook), `#!/bin/sh\nexec ${program} < /dev/null\n`, 0o755)
    },
  },
  'hooks in the repository': {
    plant: (repository, program) => {
      for (const hook of HOOKS)
        write(join(repository, '.git', 'hooks', hook), `#!/bin/sh\nexec ${program} < /dev/null\n`, 0o755)
    },
  },
  'filter.smudge': { config: (program) => `[filter "evil"]\nsmudge = ${program}\n` },
  'filter.clean': { config: (program) => `[filter "evil"]\nclean = ${program}\nrequired = true\n` },
  'filter.process': { config: (program) => `[filter "evil"]\nprocess = ${program}\n` },
  'diff.textconv': { config: (program) => `[diff "evil"]\ntextconv = ${program}\n`, silent: true },
  'diff.command': { config: (program) => `[diff "evil"]\ncommand = ${program}\n`, silent: true },
  'diff.external': { config: (program) => `[diff]\nexternal = ${program}\n`, silent: true },
  'merge.driver': { config: (program) => `[merge "evil"]\ndriver = ${program}\n`, silent: true },
  'core.pager': { config: (program) => `[core]\npager = ${program}\n[pager]\nstatus = ${program}\n`, silent: true },
  'core.editor': {
    config: (program) => `[core]\neditor = ${program}\n[sequence]\neditor = ${program}\n`,
    silent: true,
  },
  'core.sshCommand': {
    config: (program) =>
      `[core]\nsshCommand = ${program}\nrepositoryformatversion = 1\n[extensions]\npartialClone = origin\n` +
      `[remote "origin"]\nurl = ssh://host.invalid/x\npromisor = true\n`,
    silent: true,
  },
  'remote ext::': {
    config: (program) => `[protocol "ext"]\nallow = always\n[remote "origin"]\nurl = ext::${program} %S\n`,
    silent: true,
  },
  'credential.helper': { config: (program) => `[credential]\nhelper = !${program}\n`, silent: true },
  'core.gitProxy': { config: (program) => `[core]\ngitProxy = ${program}\naskPass = ${program}\n`, silent: true },
  'gpg.program': {
    config: (program) => `[gpg]\nprogram = ${program}\n[commit]\ngpgSign = true\n[log]\nshowSignature = true\n`,
    silent: true,
  },
  'uploadpack.packObjectsHook': { config: (program) => `[uploadpack]\npackObjectsHook = ${program}\n`, silent: true },
  'core.alternateRefsCommand': { config: (program) => `[core]\nalternateRefsCommand = ${program}\n`, silent: true },
  alias: {
    config: (program) =>
      `[alias]\n${['status', 'worktree', 'rev-parse', 'show-ref', 'reset'].map((name) => `${name} = !${program}\n`).join('')}`,
    silent: true,
  },
  'include.path': {
    config: () => `[include]\npath = ${join(root, 'included')}\n`,
    plant: (_, program) =>
      write(join(root, 'included'), `[core]\nfsmonitor = ${program}\n[filter "evil"]\nsmudge = ${program}\n`),
  },
  'includeIf.gitdir': {
    config: () => `[includeIf "gitdir:/"]\npath = ${join(root, 'included-if')}\n`,
    plant: (_, program) =>
      write(join(root, 'included-if'), `[core]\nfsmonitor = ${program}\n[filter "evil"]\nsmudge = ${program}\n`),
  },
  'config.worktree': {
    config: () => '[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true\n',
    plant: (repository, program) =>
      write(join(repository, '.git', 'config.worktree'), `[core]\nfsmonitor = ${program}\n`),
  },
  'info/attributes': {
    config: (program) => `[filter "inside"]\nsmudge = ${program}\nclean = ${program}\n`,
    plant: (repository) => write(join(repository, '.git', 'info', 'attributes'), '* filter=inside\n'),
  },
  'core.attributesFile': {
    config: (program) => `[core]\nattributesFile = ${join(root, 'far')}\n[filter "far"]\nsmudge = ${program}\n`,
    plant: () => write(join(root, 'far'), '* filter=far\n'),
    silent: true,
  },
  'maintenance and gc': {
    config: (program) => `[gc]\nauto = 1\nrecentObjectsHook = ${program}\n[maintenance]\nauto = true\n`,
    silent: true,
  },
  'trace2 target': { config: (program) => `[trace2]\neventTarget = ${program}\n`, silent: true },
  'home configuration': {
    plant: (_, program) =>
      write(join(root, '.gitconfig'), `[core]\nfsmonitor = ${program}\n[filter "evil"]\nsmudge = ${program}\n`),
    silent: true,
  },
  'variables of the daemon’s environment': {
    env: (program) => ({
      GIT_EXTERNAL_DIFF: program,
      GIT_SSH_COMMAND: program,
      GIT_ASKPASS: program,
      GIT_EDITOR: program,
      GIT_PAGER: program,
      GIT_PROXY_COMMAND: program,
      GIT_EXEC_PATH: root,
      GIT_DIR: '/nonexistent',
      GIT_WORK_TREE: '/nonexistent',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: program,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${program}'`,
    }),
    silent: true,
  },
  'submodule with ext:: and its own configuration': {
    plant: (repository, program) => {
      write(join(repository, '.gitmodules'), `[submodule "s"]\npath = s\nurl = ext::${program}\nupdate = !${program}\n`)
      write(join(repository, '.git', 'modules', 's', 'config'), `[core]\nfsmonitor = ${program}\n`)
    },
    silent: true,
  },
  'a repository within the working tree': {
    plant: (repository, program) => {
      write(join(repository, 'inner', '.git', 'HEAD'), 'ref: refs/heads/main\n')
      write(join(repository, 'inner', '.git', 'config'), `[core]\nfsmonitor = ${program}\n`)
      mkdirSync(join(repository, 'inner', '.git', 'objects'), { recursive: true })
      mkdirSync(join(repository, 'inner', '.git', 'refs'), { recursive: true })
    },
    silent: true,
  },
}

let round = 0
async function hostile(name: string, door: Door): Promise<{ repository: string; program: string }> {
  const repository = join(root, `repository-${++round}`)
  mkdirSync(repository)
  await git(repository, 'init', '-q', '-b', 'main')
  write(join(repository, 'a.txt'), 'one\n')
  write(join(repository, '.gitattributes'), ATTRIBUTES)
  await git(repository, 'add', '.')
  await git(repository, 'commit', '-q', '-m', 'one')
  const program = trap(name.replaceAll(/[^\w.]/g, '-'))
  const file = join(repository, '.git', 'config')
  if (door.config) write(file, `${(await execa('cat', [file])).stdout}\n${door.config(program)}`)
  door.plant?.(repository, program)
  return { repository, program }
}

const live: string[] = []
beforeAll(async () => {
  // Shows that plain git runs these programs, so that the tests below prove something.
  for (const [name, door] of Object.entries(doors).filter(([, each]) => !each.silent)) {
    const { repository } = await hostile(name, door)
    await git(repository, 'worktree', 'add', '-q', `${repository}-tree`, '-b', 'other')
    write(join(repository, 'a.txt'), 'two\n')
    await git(repository, 'status')
    await git(repository, 'commit', '-q', '-a', '-m', 'two')
    if (sprung().length > 0) live.push(name)
    for (const file of sprung()) rmSync(join(traps, file))
  }
}, 120_000)

for (const [name, door] of Object.entries(doors)) {
  test(`runs no program through ${name}`, async () => {
    const { repository, program } = await hostile(name, door)
    const user = { env: { PATH: process.env.PATH, HOME: root, ...door.env?.(program) } }
    const path = join(root, `trees-${round}`, 'worker')
    expect(await repositoryOf(repository, user)).toBe(repository)
    const wanted = { directory: repository, path, branch: 'svc/worker', fallbackBranch: 'svc/worker-1', user }
    expect(await addWorktree(wanted)).toEqual({ path, branch: 'svc/worker', directory: path })
    expect((await execa('cat', [join(path, 'a.txt')])).stdout).toBe('one')
    expect(await addWorktree(wanted)).toMatchObject({ branch: 'svc/worker' })
    write(join(path, 'a.txt'), 'two\n')
    write(join(path, 'new.txt'), 'new\n')
    const link = await execa('cat', [join(path, '.git')])
    write(join(link.stdout.replace('gitdir: ', ''), 'config.worktree'), `[core]\nfsmonitor = ${program}\n`)
    const preserved = 'refs/svc/preserved/worker'
    expect(await removeWorktree(path, user)).toEqual({ removed: true, reason: null, preserved })
    expect(existsSync(path)).toBe(false)
    const opened = await Repository.open(repository, user)
    expect((await opened!.git('cat-file', 'blob', `${preserved}:new.txt`)).stdout).toBe('new')
    await opened!.close()
    expect(sprung()).toEqual([])
  }, 60_000)
}

test('removes nothing from another repository that a worktree’s .git points to', async () => {
  const own = await hostile('turned', {})
  const victim = await hostile('victim', { config: (program) => `[core]\nfsmonitor = ${program}\n` })
  const user = { env: { PATH: process.env.PATH, HOME: root } }
  const add = (repository: string, path: string) =>
    addWorktree({ directory: repository, path, branch: 'svc/worker', fallbackBranch: 'svc/worker-1', user })
  const path = join(root, 'turned', 'worker')
  await add(own.repository, path)
  await add(victim.repository, join(root, 'victim', 'worker'))
  for (const turned of ['.git/worktrees/worker', '.git']) {
    write(join(path, '.git'), `gitdir: ${join(victim.repository, turned)}\n`)
    expect((await removeWorktree(path, user)).removed).toBe(false)
  }
  rmSync(join(path, '.git'))
  write(join(path, '.git', 'config'), `[core]\nfsmonitor = ${victim.program}\nworktree = ${victim.repository}\n`)
  expect((await removeWorktree(path, user)).removed).toBe(false)
  const branches = await git(victim.repository, 'branch', '--format=%(refname:short)')
  expect(branches.stdout.split('\n')).toEqual(expect.arrayContaining(['main', 'svc/worker']))
  expect(sprung()).toEqual([])
}, 60_000)

const asRoot = process.getuid?.() === 0
// Only root can run git as another user without a password.
test('runs git as the user of the agent', async () => {
  const { repository } = await hostile('other-user', {})
  if (!asRoot) return
  chmodSync(root, 0o755)
  await execa('chown', ['-R', 'nobody', repository])
  const home = join(root, 'home-of-nobody')
  mkdirSync(home)
  await execa('chown', ['nobody', home])
  const user = { env: { PATH: process.env.PATH }, prefix: ['runuser', '-u', 'nobody', '--'], home }
  const path = join(home, 'trees', 'worker')
  await addWorktree({ directory: repository, path, branch: 'svc/worker', fallbackBranch: 'svc/worker-1', user })
  const { stdout } = await execa('find', [home, repository, '!', '-user', 'nobody'])
  expect(stdout).toBe('')
  expect(await removeWorktree(path, user)).toEqual({ removed: true, reason: null, preserved: null })
}, 60_000)

test('removes git’s temporary folders after traps that plain git triggers', async () => {
  const { repository } = await hostile('closing', {})
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('svc-git-')).length
  const opened = await Repository.open(repository, { env: { PATH: process.env.PATH } })
  await opened!.close()
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('svc-git-')).length).toBe(before)
  const expected = Object.keys(doors).filter((name) => !doors[name]!.silent)
  expect(live).toEqual(expected)
  counted('git: ways to make git run a program', Object.keys(doors).length)
  counted('git: ways that work with plain git', live.length)
})
