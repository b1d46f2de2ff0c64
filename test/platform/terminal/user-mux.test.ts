import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tmuxSocket } from '../../support/tmux-server.ts'
import { Tmux } from '../../../platform/terminal/tmux.ts'
import { UserTmux } from '../../../platform/terminal/user-mux.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-user-mux-'))
const socket = tmuxSocket()
const real = execFileSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).trim()
afterAll(() => {
  for (const name of [socket, `${socket}-ending`])
    execFileSync('sh', ['-c', `"${real}" -L ${name} kill-server 2>/dev/null || true`])
  rmSync(folder, { recursive: true })
})

/**
 * tmux that reports how a program ended only on the third query. The program may end once its line is in the pane: tmux
 * can lose what a program writes just before its end.
 */
const LATE = `#!/bin/sh
if "${real}" -L ${socket} capture-pane -p 2>/dev/null | grep -q found; then touch "${folder}/shown"; fi
out=$("${real}" "$@"); code=$?
case "$* $out" in
  *display-message*:1:3::*)
    echo look >>"${folder}/looks"
    [ "$(wc -l <"${folder}/looks")" -ge 3 ] || out=$(printf '%s' "$out" | sed 's/:1:3::/:1:::/') ;;
esac
[ -z "$out" ] || printf '%s\\n' "$out"
exit $code
`

/** tmux whose first client connects to an exiting server. */
const ENDING = `#!/bin/sh
if [ ! -e "${folder}/ended" ]; then
  touch "${folder}/ended"
  echo 'server exited unexpectedly' >&2
  exit 1
fi
exec "${real}" "$@"
`

test.each([
  ['of the user', (env: Record<string, string>) => new UserTmux({ socket: `${socket}-ending`, env })],
  ['of agents', (env: Record<string, string>) => new Tmux({ socket: `${socket}-ending`, env })],
])('starts a session on the exiting server %s', async (_whose, muxWith) => {
  rmSync(join(folder, 'ended'), { force: true })
  writeFileSync(join(folder, 'tmux'), ENDING, { mode: 0o755 })
  const mux = muxWith({ HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` })
  const command = ['/bin/sh', '-c', 'exec sleep 60']
  const first = {
    name: 'first',
    directory: folder,
    command,
    panes: 1,
    layout: 'single',
    mark: 'a',
    startMs: 0,
  } as const
  await mux.launch(first)
  expect((await mux.list()).map(({ name }) => name)).toEqual(['first'])
  await mux.kill('first')
})

test('waits until tmux reports how a program ended', async () => {
  writeFileSync(join(folder, 'tmux'), LATE, { mode: 0o755 })
  const env = { HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` }
  const launch = {
    name: 'late',
    directory: folder,
    command: ['/bin/sh', '-c', `echo no key found; until [ -e shown ]; do sleep 0.01; done; exit 3`],
    panes: 1,
    layout: 'single',
    mark: 'a',
    startMs: 5000,
  } as const
  const mux = new UserTmux({ socket, env })
  await expect(mux.launch(launch)).rejects.toMatchObject({
    code: 'program-ended',
    message: expect.stringMatching(/ exited immediately with code 3: no key found$/),
  })
  expect(await mux.list()).toEqual([])
})
