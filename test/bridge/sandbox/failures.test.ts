// A bwrap that fails, with words of others' systems.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ProgramInside } from '../../../bridge/sandbox/inside.ts'
import { Sandbox } from '../../../bridge/sandbox/sandbox.ts'
import { realTimers as timers } from '../../../bridge/timers.ts'
import { launchOf } from '../running.ts'
import { sandboxStand } from './stand.ts'

function fakeBwrap(folder: string, script: string): string {
  const path = join(folder, 'bwrap')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

function startWith(script: string) {
  const { folder, directory, sandbox } = sandboxStand()
  const launch = launchOf({ url: 'ws://127.0.0.1:9/ws' }, directory, { sandbox })
  const opened = Sandbox.open(launch, process.env, timers)!
  const { statusFile, seccompFilter, ports } = opened
  const bwrap = fakeBwrap(join(folder, 'bin'), script)
  const members = { bwrap, statusFile, seccompFilter, ports, arguments: opened.arguments.bind(opened) }
  const faked = members as unknown as Sandbox
  const command: [string, ...string[]] = ['touch', join(directory, 'started')]
  const env = process.env
  return {
    directory,
    program: new ProgramInside({ command, directory, env, stdio: 'lines', sandbox: faked, timers }, faked),
  }
}

test.each([
  [
    'closes its pipes unread',
    'exec 3<&- 4<&-; echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
    'bwrap: setting up uid map: Permission denied',
  ],
  ['fails with several lines', 'echo one >&2; echo "bwrap: two" >&2; exit 1', 'one; bwrap: two'],
  ['says nothing', 'exit 3', 'bwrap ended with exit code 3'],
  ['ends well without a program', 'cat <&3 >/dev/null; exit 0', 'bwrap ended with exit code 0'],
])('reports a bwrap that %s', async (_title, script, words) => {
  const { program, directory } = startWith(script)
  program.stdin?.write('x'.repeat(1e6))
  await expect(program.ended).rejects.toMatchObject({ message: `sandbox-failed: ${words}`, exitCode: 71 })
  expect(existsSync(join(directory, 'started'))).toBe(false)
})
