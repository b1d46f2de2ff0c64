// A program must not outlive what holds it, at whatever moment that is killed.
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { childrenOf, processesWith } from '../../../bridge/sandbox/processes.ts'
import { eventually } from '../../support/eventually.ts'
import { startInside, users } from './stand.ts'

const commandLine = (pid: number | string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

interface Seen {
  bridge: number
  bwrap: number | undefined
  /** First process inside. */
  init: number | undefined
  gate: number | undefined
  helper: number | undefined
  isRunning: boolean
}

/** Processes of one start, from the outside in. */
function look(bridge: number): Seen {
  const bwrap = childrenOf(bridge)[0]
  const init = bwrap && childrenOf(bwrap)[0]
  const gate = init && childrenOf(init)[0]
  const helper = gate && childrenOf(gate)[0]
  return { bridge, bwrap, init, gate, helper, isRunning: commandLine(gate ?? 0).startsWith('/usr/bin/sleep') }
}

const STAGES: Record<string, (seen: Seen) => unknown> = {
  'bwrap starts': ({ bwrap }) => bwrap,
  // It has left the time in which only its parent can end it.
  'the sandbox is made': ({ init }) => init && readFileSync(`/proc/${init}/uid_map`, 'utf8'),
  'the gate is closed': ({ gate }) => gate,
  'sockets are made': ({ helper }) => helper,
  'the program runs': ({ isRunning }) => isRunning,
}

describe.each(users)('as $user', ({ uid }) => {
  test.each([
    ['bridge', 'bwrap starts', 'all'],
    ['bridge', 'the sandbox is made', 'all'],
    ['bridge', 'the gate is closed', 'all'],
    ['bridge', 'the program runs', 'all'],
    ['bridge', 'sockets are made', 'none'],
    ['bridge', 'the program runs', 'none'],
    ['bwrap', 'bwrap starts', 'all'],
    ['bwrap', 'the sandbox is made', 'all'],
    ['bwrap', 'the gate is closed', 'all'],
    ['bwrap', 'the program runs', 'all'],
    ['bwrap', 'sockets are made', 'none'],
    ['init', 'the program runs', 'all'],
    ['helper', 'sockets are made', 'none'],
  ] as const)('leaves no process when %s is killed while %s, network %s', async (victim, stage, mode) => {
    const seconds = String(randomInt(1e9, 2e9))
    const { bridge, server } = await startInside(
      { runtime: 'command', command: ['/usr/bin/sleep', seconds] },
      { network: { mode, hosts: [] } },
      uid,
    )
    const pid = await eventually(() => {
      const seen = look(bridge.pid)
      return STAGES[stage]!(seen) ? seen[victim] : null
    })
    process.kill(pid, 'SIGKILL')
    const exit = await bridge.exit
    expect(exit).toBe(victim === 'bridge' ? 'SIGKILL' : victim === 'helper' ? 71 : 137)
    const marks = [seconds, `"port":${new URL(server.url).port},`]
    await eventually(() => marks.flatMap(processesWith).length === 0)
  })
})
