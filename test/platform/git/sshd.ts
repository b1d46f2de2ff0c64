// A real ssh server on this machine that accepts one client key.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { ownPorts } from '../../support/ports.ts'

const PROGRAM = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find((path) => existsSync(path))

/** If missing, the test is skipped, and the run's last line counts it. */
export const SSHD_MISSING = PROGRAM === undefined
export const WITHOUT_SSHD = 'sshd is not installed (Debian: openssh-server)'

/** Creates a key pair; returns the path of the private key. */
export function keyPair(folder: string, name: string, passphrase = ''): string {
  const file = join(folder, name)
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', name, '-f', file])
  return file
}

export class Sshd {
  readonly port: number
  readonly hostKey: string
  readonly #folder: string

  private constructor(folder: string, hostKey: string, port: number) {
    this.#folder = folder
    this.hostKey = hostKey
    this.port = port
  }

  /** `folder` gets the server's files; `client` is the accepted key. Ends with the test. */
  static async start(folder: string, client: string): Promise<Sshd> {
    const server = new Sshd(
      folder,
      keyPair(folder, `host-${Math.random().toString(36).slice(2)}`),
      (await ownPorts(1))[0]!,
    )
    writeFileSync(join(folder, 'authorized'), readFileSync(`${client}.pub`))
    // sshd requires this folder when root starts it.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
    const options = {
      ListenAddress: '127.0.0.1',
      Port: server.port,
      HostKey: server.hostKey,
      AuthorizedKeysFile: join(folder, 'authorized'),
      PidFile: 'none',
      StrictModes: 'no',
      UsePAM: 'no',
      PasswordAuthentication: 'no',
      KbdInteractiveAuthentication: 'no',
    }
    const args = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const child = spawn(PROGRAM!, ['-D', '-e', '-f', '/dev/null', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (data: Buffer) => (said += data.toString()))
    const ended = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGTERM')
      await ended
    })
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`sshd ended: ${said}`)
      return answers(server.port)
    })
    return server
  }

  url(folder: string): string {
    return `ssh://${userInfo().username}@127.0.0.1:${this.port}${folder}`
  }

  /** Writes a known_hosts file for this server, by default with its real key. */
  knownHosts(name: string, key = this.hostKey): string {
    const file = join(this.#folder, name)
    writeFileSync(file, `[127.0.0.1]:${this.port} ${readFileSync(`${key}.pub`, 'utf8')}`)
    return file
  }
}

/** True if something listens on the port. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => (socket.destroy(), resolve(true)))
    socket.once('error', () => resolve(false))
  })
}
