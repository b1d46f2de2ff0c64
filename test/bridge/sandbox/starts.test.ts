import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { bridgeCommand, sandboxStand, shell, startBridgeIn, startInside, users } from './stand.ts'
import { agentServer, launchOf } from '../running.ts'

describe.each(users)('as $user', ({ uid }) => {
  test('lets a program write in its directory and /tmp only', async () => {
    const script =
      'echo in > inside; echo t > /tmp/t; echo out > ../outside; cat ../private/empty; echo "uid $(id -u)"; ls /tmp'
    const { bridge, folder, directory, sandbox } = await startInside(shell(script), {}, uid)
    expect([await bridge.exit, bridge.output]).toEqual([0, expect.stringContaining('t\n')])
    expect(bridge.output).toContain('../outside: Read-only file system')
    expect(bridge.output).toMatch(/private\/empty: (Permission denied|No such file)/)
    expect(readFileSync(join(directory, 'inside'), 'utf8')).toBe('in\n')
    expect(readFileSync(join(sandbox.tmp, 't'), 'utf8')).toBe('t\n')
    expect(existsSync(join(folder, 'outside'))).toBe(false)
  })

  test('passes the exit code, and 128 plus the signal that ended the program', async () => {
    for (const [script, code] of [
      ['exit 7', 7],
      ['exit 127', 127],
      ['kill -9 $$', 137],
      ['kill -TERM $$', 143],
    ] as const)
      expect(await (await startInside(shell(script), {}, uid)).bridge.exit).toBe(code)
  })

  test('runs the tools of the scripted agent inside', async () => {
    const { server, bridge, folder } = await startInside({ runtime: 'scripted' }, {}, uid)
    await server.next((frame) => frame['subtype'] === 'bridge')
    server.prompt(`USE_TOOL Write ${join(folder, 'outside')} text`)
    server.allow(await server.question())
    expect((await server.result())['result']).toContain('EROFS')
    expect(existsSync(join(folder, 'outside'))).toBe(false)
    await eventually(() => bridge.output.includes('add it to sandbox.write'))
  })

  test('empties the temporary folder at each start', async () => {
    const stand = sandboxStand({}, uid)
    const server = await agentServer()
    const run = async (script: string) => {
      const bridge = startBridgeIn(stand, server, shell(script))
      return [await bridge.exit, bridge.output]
    }
    expect(await run('mkdir -p /tmp/a/b; echo 1 > /tmp/a/b/c; chmod 0 /tmp/a/b; ls -A /tmp')).toEqual([0, 'a\n'])
    expect(await run('ls -A /tmp')).toEqual([0, ''])
  })

  test('gives the program no descriptor but its own three', async () => {
    const script = 'for fd in 3 4 5 6 7; do [ -e /proc/$$/fd/$fd ] && echo $fd; done; echo "$NODE_CHANNEL_FD."'
    for (const rules of [{}, { network: { mode: 'none' as const, hosts: [] } }]) {
      const { bridge } = await startInside(shell(script), rules, uid)
      expect([await bridge.exit, bridge.output]).toEqual([0, '.\n'])
    }
  })

  test('starts nothing with an open folder of another process', async () => {
    const stand = sandboxStand({}, uid)
    const { directory, sandbox } = stand
    const launch = launchOf(await agentServer(), directory, { sandbox, ...shell('touch started') })
    const [bridge, env] = bridgeCommand(stand, launch)
    const { status, stderr } = spawnSync('bash', ['-c', 'exec 200</etc; exec "$@"', 'sh', ...bridge], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
    expect([status, stderr]).toEqual([71, expect.stringContaining('200 (/etc); start the agent with the orchestrator')])
    expect(existsSync(join(directory, 'started'))).toBe(false)
  })

  test('drops variables that lead outside, and keeps those of the manifest', async () => {
    const bridge = startBridgeIn(
      sandboxStand({}, uid),
      await agentServer(),
      { ...shell('env'), env: { GH_TOKEN: 'of-the-manifest' } },
      {
        SSH_AUTH_SOCK: '/x',
        DBUS_SESSION_BUS_ADDRESS: 'x',
        GH_TOKEN: 'x',
        GITHUB_TOKEN: 'x',
        SVC_HOME: 'x',
        KEPT: 'yes',
      },
    )
    expect(await bridge.exit).toBe(0)
    const env = Object.fromEntries(bridge.output.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)))
    expect(env).toMatchObject({
      GH_TOKEN: 'of-the-manifest',
      KEPT: 'yes',
      TMPDIR: '/tmp',
      XDG_CACHE_HOME: '/tmp/.cache',
    })
    expect(env).toMatchObject({ SVC_AGENT_NAME: 'worker', GIT_CONFIG_KEY_0: 'gc.auto' })
    for (const name of ['SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS', 'GITHUB_TOKEN', 'SVC_HOME', 'HTTP_PROXY'])
      expect(env).not.toHaveProperty(name)
  })

  test('starts nothing without its sandbox, with the reason on the last line', async () => {
    const stand = sandboxStand({}, uid)
    const mark = join(stand.directory, 'started')
    const plain = join(stand.directory, 'plain')
    writeFileSync(plain, 'text')
    const hidden = join(stand.folder, 'hidden')
    mkdirSync(hidden)
    writeFileSync(join(hidden, 'program'), '#!/bin/sh\n')
    chmodSync(join(hidden, 'program'), 0o755)
    const { sandbox } = stand
    const cases = [
      [{ write: ['/'] }, ['touch', mark], 71, /^error: sandbox-failed: sandbox-too-wide: .*; choose a folder/],
      [
        { write: [join(stand.folder, 'absent')] },
        ['touch', mark],
        71,
        /^error: sandbox-failed: sandbox-path-missing: /,
      ],
      [{}, ['no-such-program-here'], 127, /^hint: install it/],
      [{}, [plain], 126, /^hint: make it executable/],
      [{ hide: [hidden] }, [join(hidden, 'program')], 126, /^hint: add its folder to sandbox.read/],
    ] as const
    for (const [rules, command, code, last] of cases) {
      const members = { sandbox: { ...sandbox, ...rules } as typeof sandbox, runtime: 'command' as const }
      const bridge = startBridgeIn(stand, await agentServer(), { ...members, command: [...command] })
      expect([await bridge.exit, bridge.output.trim().split('\n').at(-1)]).toEqual([code, expect.stringMatching(last)])
    }
    expect(existsSync(mark)).toBe(false)
  })

  test('runs with a list of readable paths, and sees nothing else', async () => {
    const { folder } = sandboxStand({}, uid)
    mkdirSync(join(folder, 'listed'))
    writeFileSync(join(folder, 'listed', 'word'), 'listed word')
    writeFileSync(join(folder, 'word'), 'other word')
    const script = `cat ${folder}/listed/word ${folder}/word; ls -A ${folder} /root /home; git --version; node -e 'console.log(1 + 1)'`
    const { bridge } = await startInside(shell(script), { read: [join(folder, 'listed')] }, uid)
    await bridge.exit
    expect(bridge.output).toMatch(/listed word.*git version .*\n2\n/s)
    expect(bridge.output).not.toContain('other word')
    expect(bridge.output).toContain(`${folder}/word: No such file`)
    expect(bridge.output).toMatch(/'\/root': (No such file|Permission denied)/)
  })

  test('finds its program behind a folder of PATH that it cannot enter', async () => {
    const stand = sandboxStand({}, uid)
    const closed = join(stand.folder, 'closed')
    mkdirSync(closed, { mode: 0 })
    const bridge = startBridgeIn(stand, await agentServer(), shell('echo it ran'), {
      PATH: `${closed}/bin:/usr/bin:/bin`,
    })
    expect([await bridge.exit, bridge.output]).toEqual([0, 'it ran\n'])
  })
})
