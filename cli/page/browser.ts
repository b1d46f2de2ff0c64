import { spawn } from 'node:child_process'
import { variable } from '../settings.ts'

/** Time in which an opener fails, in milliseconds. One that still runs afterwards is a browser. */
const PATIENCE_MS = 3000

/** Opens an address in the browser of the user. Returns null on success, otherwise the reason. */
export async function openInBrowser(address: string): Promise<string | null> {
  const program = opener()
  if (program === null) return 'this terminal has no display'
  const child = spawn(program, [address], { stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    const end = (problem: string | null) => {
      clearTimeout(timer)
      child.unref()
      resolve(problem)
    }
    const timer = setTimeout(() => end(null), PATIENCE_MS)
    child.on('error', ({ message }) => end(message))
    child.on('exit', (code, signal) => end(code === 0 ? null : `${program} ended with ${code ?? signal}`))
  })
}

/** Null without a display. */
function opener(): string | null {
  const chosen = variable('BROWSER')
  if (chosen !== undefined) return chosen
  if (process.platform === 'darwin') return 'open'
  return variable('DISPLAY') || variable('WAYLAND_DISPLAY') ? 'xdg-open' : null
}
