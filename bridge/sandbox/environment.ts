// Variables of a program in a sandbox.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LaunchSandbox } from '../../schemas/sandbox/sandbox.ts'

/** Lead to services and secrets of the person. Kept if the manifest's `env` names them. */
const DROPPED = new Set(
  (
    'SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO XDG_RUNTIME_DIR TMUX TMUX_PANE TMUX_TMPDIR DISPLAY WAYLAND_DISPLAY ' +
    'XAUTHORITY GITHUB_TOKEN GH_TOKEN KUBECONFIG NPM_TOKEN VAULT_TOKEN DOCKER_HOST TMP TEMP'
  ).split(' '),
)
const DROPPED_PREFIXES = ['DBUS_', 'SVC_', 'AWS_', 'AZURE_', 'GOOGLE_']

/** Returns the variables of the session without those that lead out of the sandbox. */
export function inheritedInside(session: NodeJS.ProcessEnv, { sockets }: LaunchSandbox): NodeJS.ProcessEnv {
  const isKept = (name: string, value: string | undefined) =>
    (name === 'SSH_AUTH_SOCK' && sockets.includes(value ?? '')) ||
    !(DROPPED.has(name) || DROPPED_PREFIXES.some((prefix) => name.startsWith(prefix)))
  return Object.fromEntries(Object.entries(session).filter(([name, value]) => isKept(name, value)))
}

/** Defaults of a program in the sandbox. `written`: variables of the manifest, which win. */
export function variablesInside(home: string, proxyPort: number | null, written: Record<string, string>) {
  const browsers = join(home, '.cache', 'ms-playwright')
  return {
    TMPDIR: '/tmp',
    // A cache that is shared with programs outside is a way to change what they run.
    XDG_CACHE_HOME: '/tmp/.cache',
    npm_config_cache: '/tmp/.cache/npm',
    ...(existsSync(browsers) ? { PLAYWRIGHT_BROWSERS_PATH: browsers } : {}),
    ...(proxyPort === null ? {} : proxyVariables(`http://127.0.0.1:${proxyPort}`)),
    ...written,
  }
}

function proxyVariables(url: string): Record<string, string> {
  const direct = 'localhost,127.0.0.1,::1'
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    NO_PROXY: direct,
    http_proxy: url,
    https_proxy: url,
    all_proxy: url,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: '1',
  }
}
