// Commands that plan no changes. Floor: `puppet apply --noop` of as many files.
// By name only: few machines have Puppet.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare, medians, notMeasured, timed } from '../report.ts'
import { fleet, type Fleet } from './large-fleet.ts'

const COUNT = 5000
const ROUNDS = 3
/** Both programs print a line per change. */
const MOST_OUTPUT = 64 * 1024 * 1024

if (spawnSync('puppet', ['--version']).error) notMeasured('puppet is not installed (Debian: puppet-agent)')

interface Peer {
  noop(): void
  close(): void
}

function puppet(): Peer {
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-puppet-'))
  const files = join(home, 'files')
  mkdirSync(files)
  const site = join(home, 'site.pp')
  const resources = Array.from(
    { length: COUNT },
    (_, at) =>
      `file { '${files}/f${at}': ensure => file, mode => '0644', content => "The tools of team ${at}.\\n[Read, Grep]\\n" }\n`,
  )
  writeFileSync(site, resources.join(''))
  const apply = (...more: string[]) => {
    const folders = ['--confdir', join(home, 'conf'), '--vardir', join(home, 'var')]
    const { status, stdout } = spawnSync('puppet', ['apply', ...folders, '--color=false', ...more, site], {
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT,
    })
    if (status !== 0) throw new Error(`puppet exited with ${status}: ${stdout.slice(0, 1000)}`)
    return stdout
  }
  apply()
  return {
    noop: () => {
      const said = apply('--noop')
      if (said.includes('(noop)')) throw new Error(`expected no changes from puppet: ${said.slice(0, 1000)}`)
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

async function planned({ daemon }: Fleet, words: string[]): Promise<void> {
  const { code, stdout, stderr } = await daemon.svc([...words, '--detailed-exitcode'])
  if (code !== 0) throw new Error(`svc ${words.join(' ')} exited with ${code}: ${(stdout + stderr).slice(0, 1000)}`)
}

const peer = puppet()
const of = await fleet(COUNT)
const figures = await medians(ROUNDS, {
  puppet: () => timed(() => peer.noop()),
  daemon: () => timed(() => planned(of, ['reconcile', '--dry-run'])),
  offline: () => timed(() => planned(of, ['plan', of.daemon.manifests, '--source', 'default', '--offline'])),
})
peer.close()
await of.daemon.close()
const floor = { floor: figures.puppet, unit: 'ms', bound: 1 }
compare({ ...floor, what: `svc reconcile --dry-run of ${COUNT}, vs puppet apply --noop`, ours: figures.daemon })
compare({ ...floor, what: `svc plan --offline of ${COUNT}, vs puppet apply --noop`, ours: figures.offline })
