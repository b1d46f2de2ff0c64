// Packages that the builtin embedding was not trained on.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inPieces } from '../../../platform/async/time-slices.ts'
import { endingsOf } from '../../../services/code-index/files/languages.ts'
import { LARGEST_FILE } from '../../../services/code-index/files/text.ts'
import { walk } from '../../../services/code-index/files/walk.ts'
import { debianPackages, npmPackages } from '../packages.ts'
import packages from './packages.json' with { type: 'json' }

const SOURCE_BYTES = 40_000_000
const NPM = packages.typescript.npm

export interface Source {
  language: string
  folders: string[]
}

/** Downloads the packages; exits on failure. */
export function sources(): Source[] {
  const { python, rust } = packages
  const npm = npmPackages('npm', Object.keys(NPM), ['--ignore-scripts'])
  const debian = debianPackages([...python.debian, ...rust.debian])
  return [
    { language: 'python', folders: python.debian.map((name) => join(debian, name)) },
    { language: 'rust', folders: rust.debian.map((name) => join(debian, name)) },
    {
      language: 'typescript',
      folders: Object.entries(NPM).map(([name, inner]) => join(npm, 'node_modules', name, inner)),
    },
  ]
}

/** Returns the number of files written below `tree`. */
export async function writeSources(tree: string): Promise<number> {
  const endings = endingsOf(['rust', 'python', 'javascript', 'typescript'])
  const texts: { name: string; text: Buffer }[] = []
  for (const root of sources().flatMap(({ folders }) => folders))
    await inPieces(
      walk({ root, hidden: [], patterns: [], endings }, ({ path, size }) => {
        if (size > 0 && size < LARGEST_FILE / 2)
          texts.push({ name: basename(path), text: readFileSync(join(root, path)) })
      }),
    )
  let files = 0
  for (let bytes = 0; bytes < SOURCE_BYTES; files++) {
    const { name, text } = texts[files % texts.length]!
    const folder = join(tree, `part${Math.floor(files / 100)}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${files}-${name}`), text)
    bytes += text.length
  }
  return files
}
