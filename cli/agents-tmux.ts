// Commands for the tmux server in which the daemon runs its agents.
import { config, variable } from './settings.ts'

const OWN = 'default'

/** Command prefix that also works in a shell with TMUX_TMPDIR. */
export function agentsTmux(): string[] {
  const { muxSocket } = config()
  const elsewhere = variable('TMUX_TMPDIR') === undefined ? [] : ['env', '-u', 'TMUX_TMPDIR']
  return [...elsewhere, 'tmux', ...(muxSocket === OWN ? [] : ['-L', muxSocket])]
}

/** Kills only agent sessions: the server may have others. */
export function agentsKillCommand(): string {
  const tmux = agentsTmux().join(' ')
  return `${tmux} ls -F '#S' | grep '^svc-orch-' | xargs -n 1 ${tmux} kill-session -t`
}

/** Environment for tmux, so that it does not nest in the current session. */
export function tmuxEnvironment(): Record<string, string | undefined> {
  const { TMUX: _, TMUX_TMPDIR: _folder, ...env } = config().env
  return env
}
