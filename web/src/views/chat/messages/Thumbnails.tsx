import { type Attachment, dataUrl } from "../../../chat/attachments";
import { IconButton } from "../../common/IconButton";

/** A picture as the chat shows it. */
export interface Thumbnail {
  key: string | number;
  /** Where it is. */
  address: string;
  label: string;
  width: number;
  height: number;
}

export function thumbnailsOf(attachments: readonly Attachment[]): Thumbnail[] {
  return attachments.map((attachment, index) => ({
    key: attachment.id,
    address: dataUrl(attachment),
    label: attachment.name || `Image ${index + 1}`,
    width: attachment.width,
    height: attachment.height,
  }));
}

interface ThumbnailsProps {
  images: readonly Thumbnail[];
  /** Whether a press shows the whole picture. */
  open?: boolean;
  onRemove?: (key: string | number) => void;
}

/** The pictures of a message in a row. */
export function Thumbnails({ images, open, onRemove }: ThumbnailsProps) {
  if (images.length === 0) return null;
  return (
    <ul class="thumbnails" aria-label="Images" data-testid="thumbnails">
      {images.map((image) => (
        <li key={image.key} class="thumbnail">
          {open ? (
            <a href={image.address} target="_blank" rel="noopener" title="Open full size">
              <Picture image={image} />
            </a>
          ) : (
            <Picture image={image} />
          )}
          {onRemove !== undefined && (
            <span class="thumbnail-remove">
              <IconButton
                icon="x"
                label={`Remove ${image.label}`}
                small
                onClick={() => onRemove(image.key)}
              />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Picture({ image: { address, label, width, height } }: { image: Thumbnail }) {
  return <img src={address} alt={label} width={width} height={height} loading="lazy" decoding="async" />;
}
