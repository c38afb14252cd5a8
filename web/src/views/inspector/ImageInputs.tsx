import { useSignal } from "@preact/signals";
import { asProperties, numberOf } from "../../document/texture";
import { chooseFiles, IMAGE_FILES } from "../../files/files";
import { useStudio } from "../../studio/studio";
import { Icon } from "../common/icons";
import { NumberInput } from "./NumberInput";
import { type FieldEdit, partOf } from "./use-property";

interface ImageInputProps {
  label: string;
  value: unknown;
  errorId: string;
  edit: FieldEdit<unknown>;
  onLocalError: (error: string | null) => void;
}

/** The hash of an uploaded picture: what it looks like, and another one in its place. */
export function AssetInput({ label, value, edit }: Pick<ImageInputProps, "label" | "value" | "edit">) {
  return (
    <span class="image-input">
      <Thumbnail asset={String(value)} />
      <UploadButton label={label} words="Replace…" edit={edit} />
    </span>
  );
}

/** A picture as a color: how often it repeats, another one in its place, or a plain color again. */
export function ImageInput({ label, value, errorId, edit, onLocalError }: ImageInputProps) {
  const texture = asProperties(value);
  const size = numberOf(texture.scale, 1);
  return (
    <span class="image-input">
      <Thumbnail asset={String(texture.asset)} />
      <UploadButton label={label} words="Replace…" edit={partOf(edit, (asset) => ({ ...texture, asset }))} />
      <button
        type="button"
        class="button button-small"
        aria-label={`Remove image of ${label}`}
        disabled={edit.disabled}
        onClick={() => edit.commit([0.8, 0.8, 0.8])}
      >
        Remove
      </button>
      <span class="image-scale">
        <span class="property-unit">Scale</span>
        <NumberInput
          label={`${label} scale`}
          handle="×"
          value={size}
          unit=""
          range={{ min: 0.001 }}
          errorId={errorId}
          edit={partOf(edit, (scale: number | null) => ({ ...texture, scale: scale ?? 1 }))}
          onLocalError={onLocalError}
        />
      </span>
    </span>
  );
}

/** Puts a picture in place of a color. */
export function AddImageButton({ label, edit }: { label: string; edit: FieldEdit<unknown> }) {
  return (
    <UploadButton
      label={label}
      words=""
      edit={partOf(edit, (asset: unknown) => ({ type: "image", asset }))}
    />
  );
}

interface UploadButtonProps {
  label: string;
  /** Without words it is an icon. */
  words: string;
  edit: FieldEdit<unknown>;
}

function UploadButton({ label, words, edit }: UploadButtonProps) {
  const { fileOpener } = useStudio();
  const busy = useSignal(false);
  const choose = () =>
    chooseFiles(async ([file]) => {
      if (file === undefined) return;
      busy.value = true;
      const asset = await fileOpener.uploadImage(file);
      busy.value = false;
      if (asset !== null) edit.commit(asset);
    }, IMAGE_FILES);
  return (
    <button
      type="button"
      class={words === "" ? "button button-icon button-small" : "button button-small"}
      aria-label={words === "" ? `${label}: picture from a file` : `Replace image of ${label}`}
      title={words === "" ? "Picture from a file" : undefined}
      disabled={edit.disabled || busy.value}
      onClick={choose}
    >
      {busy.value ? <span class="spinner" /> : words === "" ? <Icon name="image" /> : words}
    </button>
  );
}

/** Browsers show no HDR pictures: an icon stands for those. */
function Thumbnail({ asset }: { asset: string }) {
  const { api } = useStudio();
  const failed = useSignal<string | null>(null);
  if (failed.value === asset) return <Icon name="image" />;
  return (
    <img
      class="image-thumbnail"
      src={api.assetUrl(asset)}
      alt=""
      onError={() => {
        failed.value = asset;
      }}
    />
  );
}
