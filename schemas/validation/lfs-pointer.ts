const BEGINS = 'version https://git-lfs.github.com/spec/'

export const isLfsPointer = (text: string): boolean => text.startsWith(BEGINS)

/** Error of a file, or of the field that references it. */
export const lfsPointerFault = (what: string) => ({
  code: 'lfs-pointer',
  message: `${what} is a git LFS pointer; the file it points to is not fetched`,
  hint: 'store the file in git (git lfs untrack, then add it again); in your own working tree, run git lfs pull',
})
