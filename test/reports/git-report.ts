import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Source } from '../../schemas/source.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import type { Report } from './report.ts'

export const gitReport: Report = {
  number: '06',
  name: 'sha256-repository',
  wanted: 'followed, or an error that names the format',
  async run(inputs) {
    const repository = join(inputs, 'r')
    execFileSync('git', ['init', '--quiet', '--object-format=sha256', repository])
    mkdirSync(join(repository, 'policies'))
    writeFileSync(join(repository, 'policies', 'reading.yml'), 'name: reading\nmode: allow_list\ntools: [Read]\n')
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=mia', '-c', 'user.email=mia@example.org', ...words], { cwd: repository })
    git('add', '.')
    git('commit', '--quiet', '-m', 'A team')
    const stand = await DaemonStand.create()
    try {
      await stand.start(['bin/svc', 'serve', '--manifests', `git+${pathToFileURL(repository).href}`])
      const source = await eventually(async () => {
        const [found] = await stand.get<Source[]>(`${stand.controller}/sources`)
        return found && (found.applied_revision !== null || found.error !== null) && found
      })
      const { applied_revision: revision, error } = source
      const ok = revision?.length === 64 || /SHA-?256/i.test(error ?? '')
      return { ok, came: error ?? `follows commit ${revision}` }
    } finally {
      await stand.close()
    }
  },
}
