import { useStudio } from "../studio/studio";

/** How much of a file has gone to the server, and whether that reads it. */
export function UploadStatus() {
  const upload = useStudio().fileOpener.upload.value;
  if (upload === null) return null;
  const { name, share } = upload;
  return (
    <div class="upload-status" role="status" data-testid="upload-status">
      <span class="upload-name">{share === null ? `Reading ${name}…` : `Uploading ${name}…`}</span>
      <progress aria-label={`Upload of ${name}`} value={share ?? undefined} />
    </div>
  );
}
