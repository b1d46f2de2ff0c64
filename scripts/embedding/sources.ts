import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface Package {
  registry: 'npm' | 'debian'
  name: string
  version: string
  license: string
  folder: string
}

/** Not used for training, because search is evaluated on them. */
const KEPT = new Set(
  `django networkx sqlalchemy sklearn scikit-learn tokio clap itertools rayon hyper petgraph regex image nom bstr
  rxjs effect viem ethers eslint mongoose
  aiohttp flask click httpx requests rand time serde-json serde_json crossbeam-channel zod server query-core mathjs
  @trpc/server @tanstack/query-core`.split(/\s+/),
)

const PERMISSIVE =
  /^\(?(MIT|MIT-0|ISC|BSD|BSD-[23]-Clause|Apache-2\.0|0BSD|PSF-2\.0|Unlicense|CC0-1\.0|BSL-1\.0|Zlib)(\)?( OR | AND | or )\(?(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|PSF-2\.0|BSL-1\.0|Zlib|Unlicense|CC0-1\.0))*\)?$/

/** Reads node_modules or unpacked Debian packages. Omits packages without a permissive licence. */
export function packagesIn(folder: string): Package[] {
  const found = existsSync(join(folder, 'node_modules'))
    ? npmPackages(join(folder, 'node_modules'))
    : debianPackages(folder)
  return found.filter(({ name, license }) => !isKept(name) && PERMISSIVE.test(license))
}

export const isKept = (name: string): boolean =>
  KEPT.has(name) || KEPT.has(name.replace(/^(python3|librust)-|-dev$/g, '').replace(/^(python3|librust)-|-dev$/g, ''))

function npmPackages(folder: string): Package[] {
  const names = readdirSync(folder).flatMap((name) => {
    if (name.startsWith('.')) return []
    return name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name]
  })
  return names.flatMap((name) => {
    const file = join(folder, name, 'package.json')
    if (!existsSync(file)) return []
    const { version = '', license = '' } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    const said = typeof license === 'string' ? license : ((license as { type?: string } | null)?.type ?? '')
    return [{ registry: 'npm' as const, name, version: String(version), license: said, folder: join(folder, name) }]
  })
}

/** Folders are named `<package>_<version>`. */
function debianPackages(folder: string): Package[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name: entry }) => {
      const [name = '', version = ''] = basename(entry).split('_')
      const own = join(folder, entry)
      return { registry: 'debian' as const, name, version, license: debianLicense(own, name), folder: own }
    })
}

/** Returns an empty string unless all licences are permissive. */
function debianLicense(folder: string, name: string): string {
  const cargo = cargoLicense(folder)
  if (cargo !== null) return cargo.replaceAll('/', ' OR ')
  const file = join(folder, 'usr/share/doc', name, 'copyright')
  if (!existsSync(file)) return ''
  const text = readFileSync(file, 'utf8')
  const named = [...text.matchAll(/^License:[ \t]*(\S.*)$/gm)].map((match) => match[1]!.trim())
  const words = new Set(named.flatMap((each) => each.split(/\s+(?:or|and)\s+|,/i)).map(asSpdx))
  // The Debian packaging has a separate licence and is not trained on.
  const main = [...words].filter((word) => !/^(GPL|LGPL|public-domain)/i.test(word))
  return main.length > 0 &&
    main.every((word) => PERMISSIVE.test(word)) &&
    !/^License:\s*L?GPL/m.test(text.split(/^Files: debian/m)[0]!)
    ? main.join(' AND ')
    : ''
}

const asSpdx = (word: string): string => {
  const plain = word.trim().toLowerCase()
  if (/^(expat|mit)/.test(plain)) return 'MIT'
  if (/^bsd-?2/.test(plain)) return 'BSD-2-Clause'
  if (/bsd/.test(plain)) return 'BSD-3-Clause'
  if (plain.startsWith('bsl-1')) return 'BSL-1.0'
  if (plain.startsWith('apache')) return 'Apache-2.0'
  if (/^psf|^python/.test(plain)) return 'PSF-2.0'
  if (plain.startsWith('isc')) return 'ISC'
  if (plain.startsWith('zlib')) return 'Zlib'
  if (plain.startsWith('cc0')) return 'CC0-1.0'
  return word.trim()
}

function cargoLicense(folder: string): string | null {
  const registry = join(folder, 'usr/share/cargo/registry')
  if (!existsSync(registry)) return null
  const [own] = readdirSync(registry)
  const text = own === undefined ? '' : readFileSync(join(registry, own, 'Cargo.toml'), 'utf8')
  return /^license = "([^"]+)"/m.exec(text)?.[1] ?? ''
}
