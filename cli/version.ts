// The version of this build, taken from package.json when it is built.
import manifest from '../package.json' with { type: 'json' }

export const VERSION: string = manifest.version
