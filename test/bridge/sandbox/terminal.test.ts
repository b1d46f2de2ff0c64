import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { bridgeProgram } from '../../support/built.ts'
import { eventually } from '../../support/eventually.ts'
import { endTmuxServer, tmuxSocket } from '../../support/tmux-server.ts'
import { afterwards, launchOf } from '../running.ts'
import { sandboxStand } from './stand.ts'

const run = promisify(execFile)

/** An interactive program in a pane. */
async function pane(command: string[]) {
  const { directory, sandbox } = sandboxStand()
  const file = join(directory, 'launch.json')
  const launch = launchOf({ url: 'ws://127.0.0.1:9/ws' }, directory, { sandbox, interactive: true, command })
  writeFileSync(file, JSON.stringify(launch))
  const socket = tmuxSocket()
  afterwards(() => endTmuxServer(socket))
  const tmux = async (...args: string[]) => (await run('tmux', ['-L', socket, '-f', '/dev/null', ...args])).stdout
  const program = [process.execPath, bridgeProgram, '--launch', file]
  await tmux('new-session', '-d', '-s', 'pane', '-x', '90', '-y', '20', '--', ...program)
  await tmux('set-option', '-g', 'remain-on-exit', 'on')
  const shows = (text: RegExp) => eventually(async () => text.test(await tmux('capture-pane', '-p', '-t', 'pane')))
  const keys = (...names: string[]) => tmux('send-keys', '-t', 'pane', ...names)
  return { tmux, shows, keys }
}

test('gives Ctrl-C and the size of the terminal to a program', async () => {
  const script = 'trap "echo caught it" INT; trap "stty size" WINCH; tty; echo is ready; while :; do sleep 0.1; done'
  const { tmux, shows, keys } = await pane(['sh', '-c', script])
  await shows(/\/dev\/console\nis ready/)
  await keys('C-c')
  await shows(/caught it/)
  await tmux('resize-window', '-t', 'pane', '-x', '70', '-y', '15')
  await shows(/15 70/)
})

test('has job control', async () => {
  const { shows, keys } = await pane(['bash', '--norc', '-i'])
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
  await shows(/Pane is dead/)
})
