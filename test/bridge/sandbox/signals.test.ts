import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { shell, startInside, users } from './stand.ts'

describe.each(users)('as $user', ({ uid }) => {
  test.each([
    ['SIGTERM', 'TERM'],
    ['SIGHUP', 'HUP'],
    ['SIGUSR1', 'USR1'],
  ] as const)('passes %s to the program, which ends as it likes', async (signal, name) => {
    const script = `trap "echo got it; exit 4" ${name}; echo ready; while :; do sleep 0.05; done`
    const { bridge } = await startInside(shell(script), {}, uid)
    await eventually(() => bridge.output.includes('ready'))
    bridge.child.kill(signal)
    expect(await bridge.exit).toBe(4)
    expect(bridge.output).toContain('got it')
  })

  test('ends the input of a program that ignores signals', async () => {
    const script = 'trap "" TERM; echo ready > ready; cat > /dev/null; echo ended > ended'
    const { bridge, directory } = await startInside({ runtime: 'command', command: ['sh', '-c', script] }, {}, uid)
    await eventually(() => existsSync(join(directory, 'ready')))
    bridge.child.kill('SIGTERM')
    expect(await bridge.exit).toBe(143)
    expect(readFileSync(join(directory, 'ended'), 'utf8')).toBe('ended\n')
  })

  test('kills a program that does not end in time, with all its processes', async () => {
    const script = 'trap "" TERM; echo $$ > ready; sleep 100 & while :; do sleep 1; done'
    const { bridge, directory } = await startInside({ runtime: 'command', command: ['sh', '-c', script] }, {}, uid)
    await eventually(() => existsSync(join(directory, 'ready')))
    bridge.child.kill('SIGTERM')
    expect(await bridge.exit).toBe(143)
  })

  test('ends a start that a signal interrupts with the code of the signal', async () => {
    const { bridge, directory } = await startInside(
      shell('sleep 1; touch late'),
      { network: { mode: 'none', hosts: [] } },
      uid,
    )
    await eventually(() => readFileSync(`/proc/${bridge.pid}/task/${bridge.pid}/children`, 'utf8') !== '')
    bridge.child.kill('SIGTERM')
    expect(await bridge.exit).toBe(143)
    expect(existsSync(join(directory, 'late'))).toBe(false)
  })
})
