import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { endTmuxServer, tmuxSocket } from '../../support/tmux-server.ts'
import { afterwards, launchOf } from '../running.ts'
import { bridgeCommand, sandboxStand, users } from './stand.ts'

const run = promisify(execFile)

/** An interactive program in a pane. */
async function pane(command: string[], uid: number | null) {
  const stand = sandboxStand({}, uid)
  const { directory, sandbox } = stand
  const launch = launchOf({ url: 'ws://127.0.0.1:9/ws' }, directory, { sandbox, interactive: true, command })
  const socket = tmuxSocket()
  afterwards(() => endTmuxServer(socket))
  const tmux = async (...args: string[]) => (await run('tmux', ['-L', socket, '-f', '/dev/null', ...args])).stdout
  const [program, env] = bridgeCommand(stand, launch)
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  await tmux('new-session', '-d', '-s', 'pane', '-x', '90', '-y', '20', ...variables, '--', ...program)
  await tmux('set-option', '-g', 'remain-on-exit', 'on')
  const shows = (text: RegExp) => eventually(async () => text.test(await tmux('capture-pane', '-p', '-t', 'pane')))
  const keys = (...names: string[]) => tmux('send-keys', '-t', 'pane', ...names)
  return { tmux, shows, keys }
}

describe.each(users)('as $user', ({ uid }) => {
  test('gives Ctrl-C and the size of the terminal to a program', async () => {
    const script = 'trap "echo caught it" INT; trap "stty size" WINCH; tty; echo is ready; while :; do sleep 0.1; done'
    const { tmux, shows, keys } = await pane(['sh', '-c', script], uid)
    await shows(/\/dev\/console\nis ready/)
    await keys('C-c')
    await shows(/caught it/)
    await tmux('resize-window', '-t', 'pane', '-x', '70', '-y', '15')
    await shows(/15 70/)
  })

  test('has job control', async () => {
    const { tmux, shows, keys } = await pane(['bash', '--norc', '-i'], uid)
    await shows(/bash-[\d.]+[#$]/)
    await keys('sh -c "echo in front; exec sleep 100"', 'Enter')
    await shows(/^in front$/m)
    await keys('C-z')
    await shows(/Stopped +sh -c/)
    await keys('fg', 'Enter')
    await shows(/ fg\nsh -c/)
    await keys('C-c')
    await shows(/\^C/)
    await keys('echo "code $?"', 'Enter')
    await shows(/code 130/)
    await keys('exit 3', 'Enter')
    // tmux writes its message only once it has reaped the process.
    await eventually(async () => (await tmux('list-panes', '-F', '#{pane_dead}')) === '1\n')
  })
})
