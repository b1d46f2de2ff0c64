// Collects the files and folders that manifests reference, to be sent with them.
import { relative, sep } from 'node:path'
import { readManifests } from '../../controller/reading/manifest.ts'
import type { Answered } from '../../controller/reading/environment.ts'
import { kinds } from '../../schemas/kinds.ts'
import type { PlanInput } from '../../schemas/plan.ts'
import { config } from '../settings.ts'

interface NamedFiles extends Required<Pick<PlanInput, 'texts' | 'directories'>> {
  unreadable: string[]
  /** Texts outside the folder, which are not read. */
  outside: string[]
  missing: string[]
}

/** Paths are relative to `root`. */
export function namedFiles(manifests: readonly { path: string; content: string }[], root: string): NamedFiles {
  const asked: Answered[] = []
  readManifests(manifests, {
    root,
    kinds,
    home: config().home,
    // The daemon resolves everything else; only the files around the manifests matter here.
    context: { exists: () => true, variable: () => '' },
    onAnswer: (answered) => asked.push(answered),
  })
  const named: NamedFiles = { texts: [], directories: [], unreadable: [], outside: [], missing: [] }
  for (const { question, key, answer } of asked) {
    const below = relative(root, key).split(sep).join('/') || '.'
    if (question === 'directory') named[answer === 'missing' ? 'missing' : 'directories'].push(below)
    else if (question !== 'text') continue
    else if ('text' in answer) named.texts.push({ path: below, content: answer.text })
    else named[answer.fault === 'outside' ? 'outside' : 'unreadable'].push(below)
  }
  return named
}
