// A start leaves nothing on the host: bwrap makes a file for each mount whose target is missing.
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LaunchSandbox } from '../../../schemas/sandbox/sandbox.ts'
import { agentServer } from '../running.ts'
import { giveTo, sandboxStand, shell, startBridgeIn, users, type SandboxStand } from './stand.ts'

/** Mode, owner, links and content of all files by path, without the agent's private folder. */
function tree(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('private'))
  return Object.fromEntries(
    names.sort().map((name) => {
      const path = join(folder, name)
      const stat = lstatSync(path)
      const content = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path, 'latin1') : ''
      return [name, `${stat.mode.toString(8)} ${stat.uid} ${stat.nlink} ${stat.mtimeMs} ${content}`]
    }),
  )
}

function git(folder: string, ...args: string[]): void {
  const settings = [
    '-c',
    'safe.directory=*',
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@example.org',
    '-c',
    'init.defaultBranch=main',
  ]
  execFileSync('git', [...settings, ...args], { cwd: folder, stdio: 'pipe' })
}

function makeRepository(folder: string): void {
  git(folder, 'init', '-q', '--template=')
  writeFileSync(join(folder, 'a.txt'), 'a')
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'first')
}

const CASES: Record<string, (stand: SandboxStand) => Partial<LaunchSandbox>> = {
  'several writable folders': ({ folder, directory }) => {
    for (const name of ['cache', 'work/sub']) mkdirSync(join(folder, name))
    return { write: [directory, join(folder, 'cache'), join(directory, 'sub')] }
  },
  'paths that are missing': ({ folder, directory }) => ({
    hide: [join(directory, 'absent'), join(folder, 'absent'), join(directory, 'deep', 'absent')],
    readonly: [join(directory, 'svc.yaml'), join(directory, 'manifests')],
    closed: [join(folder, 'private'), join(directory, '.ssh'), join(folder, 'home', '.ssh')],
  }),
  'hidden and read-only paths': ({ folder, directory }) => {
    for (const name of ['work/secret', 'work/src/deep', 'secret']) mkdirSync(join(folder, name), { recursive: true })
    for (const name of ['work/secret/a', 'work/src/deep/a', 'secret/a', 'work/word'])
      writeFileSync(join(folder, name), 'a')
    symlinkSync('../secret/a', join(folder, 'home', 'link'))
    const hide = ['work/secret', 'secret', 'work/word', 'home/link'].map((name) => join(folder, name))
    return { hide, readonly: [join(directory, 'src', 'deep', 'a')] }
  },
  'a repository': ({ directory }) => {
    makeRepository(directory)
    return {}
  },
  'a linked worktree': ({ folder, directory }) => {
    mkdirSync(join(folder, 'main'))
    makeRepository(join(folder, 'main'))
    git(join(folder, 'main'), 'worktree', 'add', '-q', directory)
    return {}
  },
  'a list of readable paths': ({ folder, directory }) => {
    makeRepository(directory)
    mkdirSync(join(folder, 'listed'))
    return { read: [join(folder, 'listed')], hide: [join(folder, 'listed', 'absent')] }
  },
}

describe.each(users)('as $user', ({ uid }) => {
  test.each(Object.entries(CASES))('leaves the host unchanged after a start with %s', async (_title, prepare) => {
    const stand = sandboxStand({}, uid)
    const { folder, sandbox } = stand
    const rules = prepare(stand)
    giveTo(uid, folder)
    const before = tree(folder)
    const server = await agentServer()
    for (const mode of ['all', 'none'] as const) {
      const launch = { ...sandbox, ...rules, network: { mode, hosts: [] } }
      const bridge = startBridgeIn(stand, server, { ...shell('ls -A > /dev/null'), sandbox: launch })
      expect([await bridge.exit, bridge.output]).toEqual([0, ''])
      expect(tree(folder)).toEqual(before)
    }
  })
})
