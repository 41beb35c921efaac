"""Networks as people build them, of every family."""

#: What convert.py knows.
NAMES = [
    "mobilevit", "swin", "vit", "channels_first", "style", "yolo_v5", "yolo_v8", "yolo_v11",
    "yolo_v10", "yolo_v3_tiny", "centernet", "efficientdet", "unet_bilinear", "fcn", "movenet",
    "blazepose", "kwt", "yamnet", "lstm_unrolled", "deeplab", "unet", "yolov5",
    "yolov10_attention", "transformer", "shufflenet", "mobilenetv3", "efficientnet", "convnext",
    "super_resolution", "gru", "bidirectional_lstm", "wavenet", "face_embedding",
    "feature_pyramid", "squeeze_excite", "vocoder", "resnext", "pose",
]  # fmt: skip

#: Of the size that is used, with more bytes and cycles than a test of all kinds has time for.
FULL_SIZE = ["mcunet", "movenet_lightning", "yolo_11n"]

KINDS = ["int8", "int8_float_ends", "int16", "float32"]
