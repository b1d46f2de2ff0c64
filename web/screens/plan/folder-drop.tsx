import { useRef, useState, type DragEvent } from 'react'
import { filesBelow, readFolder, type DroppedFolder } from './dropped-folder.ts'
import styles from './plan.module.css'

/** Takes a folder by drop or by a file dialog. Nothing of it is stored. */
export function FolderDrop({ onFolder }: { onFolder(folder: DroppedFolder): void }) {
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const take = (folder: DroppedFolder) => {
    setProblem(folder.files.length === 0 ? 'The folder has no text files.' : '')
    if (folder.files.length > 0) onFolder(folder)
  }
  const fail = () => setProblem('The folder cannot be read.')
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    const entry = event.dataTransfer.items[0]?.webkitGetAsEntry()
    if (!entry?.isDirectory) return setProblem('Drop a folder of manifests.')
    filesBelow(entry as never)
      .then(readFolder)
      .then(take)
      .catch(fail)
  }
  return (
    <>
      <button
        type="button"
        className={`wide ${styles['drop']}`}
        onClick={() => input.current?.click()}
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      >
        Or drop a folder<span className="wide">: it is planned as the next revision, nothing is changed</span>
      </button>
      <input
        ref={(element) => {
          input.current = element
          element?.setAttribute('webkitdirectory', '')
        }}
        className="hide"
        type="file"
        tabIndex={-1}
        aria-label="A folder of manifests"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])].map((file) => [file.webkitRelativePath, file] as const)
          readFolder(files).then(take).catch(fail)
          target.value = ''
        }}
      />
      <span className="c-fail" role="status">
        {problem}
      </span>
    </>
  )
}
