// The tmux server in which the daemon keeps its agents, as a person or a command of ours reaches it.
import { config, variable } from './settings.ts'

const OWN = 'default'

/** The words before those of tmux: what is printed works in this shell, whatever folder it has for its own sockets. */
export function agentsTmux(): string[] {
  const { muxSocket } = config()
  const elsewhere = variable('TMUX_TMPDIR') === undefined ? [] : ['env', '-u', 'TMUX_TMPDIR']
  return [...elsewhere, 'tmux', ...(muxSocket === OWN ? [] : ['-L', muxSocket])]
}

/** Ends the agents and nothing else: the server is theirs alone, unless it is the user's own. */
export function agentsKillCommand(): string {
  const tmux = agentsTmux().join(' ')
  if (config().muxSocket !== OWN) return `${tmux} kill-server`
  return `${tmux} ls -F '#S' | grep '^svc-orch-' | xargs -n 1 ${tmux} kill-session -t`
}

/** For a process of tmux: not nested in the session that this shell may be in. */
export function tmuxEnvironment(): Record<string, string | undefined> {
  const { TMUX: _, TMUX_TMPDIR: _folder, ...env } = config().env
  return env
}
