import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tmuxSocket } from '../../support/tmux-server.ts'
import { UserTmux } from '../../../platform/terminal/user-mux.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-user-mux-'))
const socket = tmuxSocket()
const real = execFileSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).trim()
afterAll(() => {
  execFileSync('sh', ['-c', `"${real}" -L ${socket} kill-server 2>/dev/null || true`])
  rmSync(folder, { recursive: true })
})

/** tmux, which knows how a program ended only from the third look on that finds it dead. */
const LATE = `#!/bin/sh
out=$("${real}" "$@"); code=$?
case "$* $out" in
  *display-message*:1:3::*)
    echo look >>"${folder}/looks"
    [ "$(wc -l <"${folder}/looks")" -ge 3 ] || out=$(printf '%s' "$out" | sed 's/:1:3::/:1:::/') ;;
esac
[ -z "$out" ] || printf '%s\\n' "$out"
exit $code
`

test('how a program ended is waited for where tmux does not know it yet', async () => {
  writeFileSync(join(folder, 'tmux'), LATE, { mode: 0o755 })
  const env = { HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` }
  const launch = {
    name: 'late',
    directory: folder,
    command: ['/bin/sh', '-c', 'echo no key found; exit 3'],
    panes: 1,
    layout: 'single',
    mark: 'a',
    startMs: 5000,
  } as const
  const mux = new UserTmux({ socket, env })
  await expect(mux.launch(launch)).rejects.toMatchObject({
    code: 'program-ended',
    message: expect.stringMatching(/ ended at once with 3: no key found$/),
  })
  expect(await mux.list()).toEqual([])
})
