// Runs commands with the real bubblewrap.
import { spawnSync } from 'node:child_process'
import { chownSync, closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWithin } from '../../../platform/files/within.ts'
import { bwrapArguments, type BwrapOptions } from '../../../platform/sandbox/arguments.ts'
import { hostFacts, type HostFacts } from '../../../platform/sandbox/facts.ts'
import { planMounts, type MountPlan } from '../../../platform/sandbox/mounts.ts'
import { seccompFilter } from '../../../platform/sandbox/seccomp.ts'
import type { LaunchSandbox } from '../../../schemas/sandbox/sandbox.ts'

export const NOBODY = 65_534

/** Root also starts programs as another user. `uid`: default of this process. */
export const users: { user: string; uid?: number }[] =
  process.getuid?.() === 0 ? [{ user: 'root' }, { user: 'nobody', uid: NOBODY }] : [{ user: 'this user' }]

export interface Enclosure {
  sandbox: LaunchSandbox
  home: string
  directory: string
  /** Holds the private folder and the empty file. */
  scratch: string
  programs?: string[]
  uid?: number
  options?: Partial<BwrapOptions>
  env?: Record<string, string>
  /** For tests of one missing part. */
  withoutFilter?: boolean
  /** Descriptor 4 of the program. */
  inherited?: number
  change?: (argv: string[]) => string[]
  changePlan?: (plan: MountPlan) => MountPlan
}

export interface Outcome {
  status: number | null
  /** Of both streams. */
  output: string
}

export function sandboxOf(members: Partial<LaunchSandbox>, scratch: string): LaunchSandbox {
  return {
    write: [],
    read: 'all',
    hide: [],
    readonly: [],
    sockets: [],
    network: { mode: 'all', hosts: [] },
    nested: false,
    tmp: join(scratch, 'tmp'),
    closed: [],
    ...members,
  }
}

/** Sockets of other tests may end between plan and start. */
const factsBelow = (folder: string): HostFacts => ({
  ...hostFacts,
  listeningSockets: () => hostFacts.listeningSockets().filter((path) => isWithin(path, folder)),
})

/** The filter of system calls is expected at descriptor 3. */
export function enclosedCommand(script: string, enclosure: Enclosure): [string, ...string[]] {
  const { sandbox, home, directory, scratch, programs = [], options, uid } = enclosure
  mkdirSync(sandbox.tmp, { recursive: true })
  const emptyFile = join(scratch, 'empty')
  if (!existsSync(emptyFile)) writeFileSync(emptyFile, '', { mode: 0 })
  if (uid !== undefined) for (const path of [sandbox.tmp, emptyFile]) chownSync(path, uid, uid)
  const { change = (argv) => argv, changePlan = (plan) => plan } = enclosure
  const plan = changePlan(planMounts(sandbox, factsBelow(dirname(scratch)), { home, programs }))
  const { mode: network } = sandbox.network
  const argv = change(
    bwrapArguments(plan, {
      directory,
      tmp: sandbox.tmp,
      emptyFile,
      network,
      nested: sandbox.nested,
      isInteractive: false,
      unset: [],
      ...options,
    }),
  )
  const user = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  const filtered = enclosure.withoutFilter ? [] : ['--seccomp', '3']
  const [program, ...rest] = [...user, 'bwrap', ...argv, ...filtered, '/bin/sh', '-c', script]
  return [program, ...rest]
}

/** Runs a script of the shell. */
export function runEnclosed(script: string, enclosure: Enclosure): Outcome {
  const { home, scratch, env = {}, inherited = 'ignore' } = enclosure
  const [command, ...rest] = enclosedCommand(script, enclosure)
  const filterFile = join(scratch, 'filter')
  writeFileSync(filterFile, seccompFilter(process.arch)!)
  const filter = openSync(filterFile, 'r')
  try {
    const { status, stdout, stderr } = spawnSync(command, rest, {
      cwd: '/',
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home, LANG: 'C', ...env },
      stdio: ['ignore', 'pipe', 'pipe', filter, inherited],
    })
    return { status, output: stdout + stderr }
  } finally {
    closeSync(filter)
  }
}
