import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { SHELL_LINE } from '../../../../services/orchestrator/agents/shell-line.ts'

const SHELLS = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0)
const DESCRIPTORS = [3, 9, 10, 12, 200, 1000]
/** Opens the folder /etc in its arguments' descriptors and runs the rest. */
const OPENER = `for fd in ${DESCRIPTORS.join(' ')}; do eval "exec $fd</etc"; done; exec "$@"`
const LISTING = ['sh', '-c', 'for fd in /proc/$$/fd/*; do echo "${fd##*/} $(readlink $fd)"; done']

const open = (...command: string[]) => {
  const { stdout, stderr, status } = spawnSync('bash', ['-c', OPENER, 'open', ...command], { encoding: 'utf8' })
  return {
    folders: stdout
      .split('\n')
      .filter((line) => line.endsWith(' /etc'))
      .sort(),
    stderr,
    status,
  }
}

test.each(SHELLS)('closes inherited descriptors in %s', (shell) => {
  expect(open(shell, '-c', SHELL_LINE, 'svc-orch', ...LISTING)).toEqual({ folders: [], stderr: '', status: 0 })
  expect(open(shell, '-c', 'exec "$@"', 'svc-orch', ...LISTING).folders).toEqual(
    DESCRIPTORS.map((fd) => `${fd} /etc`).sort(),
  )
})

test.each(SHELLS)('keeps the arguments and the exit code in %s', (shell) => {
  const script = 'printf "%s|" "$@"; exit 7'
  const { stdout, status } = spawnSync(
    shell,
    ['-c', SHELL_LINE, 'svc-orch', 'sh', '-c', script, 'sh', 'a b', '', '$x'],
    {
      encoding: 'utf8',
    },
  )
  expect([stdout, status]).toEqual(['a b||$x|', 7])
})
